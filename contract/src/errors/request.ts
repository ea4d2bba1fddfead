/** The request itself, and who is asking. */
import type { ErrorEntry } from './entry.ts'

export const requestErrors = {
  // The request itself
  invalid_request: { status: 400, kind: 'invalid', sentence: "The request couldn't be understood." },
  invalid_json: { status: 400, kind: 'invalid', sentence: "The request body isn't valid JSON." },
  invalid_text: {
    status: 400,
    kind: 'invalid',
    sentence:
      "The request body contains text that isn't allowed: a NUL character, half of a surrogate pair, or invalid UTF-8.",
  },
  unsafe_key: { status: 400, kind: 'invalid', sentence: "The request body contains a key that isn't allowed." },
  quota_exceeded: { status: 429, kind: 'limit', sentence: 'That was too much in a short time. Try again later.' },
  quota_reached: { status: 409, kind: 'conflict', sentence: "You've reached a limit. Delete something first." },
  body_too_large: { status: 413, kind: 'invalid', sentence: 'The request body is too large for this endpoint.' },
  text_too_long: { status: 413, kind: 'invalid', sentence: 'With its variables filled in, the text is too long.' },
  computation_too_large: {
    status: 422,
    kind: 'invalid',
    sentence: 'This is too large to be worked out, or its result would be.',
  },
  computation_too_long: {
    status: 422,
    kind: 'invalid',
    sentence: 'Working this out took too long, so it was ended. Try with less.',
  },
  file_too_large: { status: 413, kind: 'invalid', sentence: 'The file is too large for this endpoint.' },
  too_many_files: { status: 413, kind: 'invalid', sentence: 'Too many files in one upload.' },
  file_type_not_allowed: {
    status: 415,
    kind: 'invalid',
    sentence: "Files of this type aren't allowed here. The type is detected from the content, not from the name.",
  },
  invalid_multipart: {
    status: 400,
    kind: 'invalid',
    sentence:
      "The upload couldn't be read: its boundary is missing or wrong, a part is malformed, or it ends too early.",
  },
  upload_expired: {
    status: 409,
    kind: 'conflict',
    sentence: 'The uploaded file was not used in time and has been removed. Upload it again.',
  },
  range_not_satisfiable: {
    status: 416,
    kind: 'invalid',
    sentence: 'The requested range is beyond the end of the file.',
  },
  request_timeout: { status: 408, kind: 'invalid', sentence: "The request didn't arrive in time. Try again." },
  unsupported_media_type: { status: 415, kind: 'invalid', sentence: "This endpoint doesn't accept that content type." },
  validation_failed: { status: 422, kind: 'invalid', sentence: "Some fields aren't valid." },
  not_found: { status: 404, kind: 'missing', sentence: "We couldn't find what you're looking for." },
  too_many_requests: { status: 429, kind: 'limit', sentence: 'Too many requests. Wait a moment and try again.' },
  search_too_slow: {
    status: 422,
    kind: 'invalid',
    sentence: 'The search took too long. Look for a rarer word, or in a shorter time.',
  },
  internal_error: {
    status: 500,
    kind: 'server',
    sentence: 'Something went wrong on our side. The error has been logged.',
  },
  not_ready: { status: 503, kind: 'server', sentence: 'The service is starting or stopping. Try again in a moment.' },
  database_full: {
    status: 503,
    kind: 'server',
    sentence:
      'The database has run out of disk space, so nothing was saved. Try again once an administrator has freed some.',
  },
  database_unavailable: {
    status: 503,
    kind: 'server',
    sentence: 'The database is unavailable. Try again in a moment.',
  },
  database_timeout: {
    status: 503,
    kind: 'server',
    sentence: 'The database took too long, so nothing was changed. Try again in a moment.',
  },
  s3_unavailable: {
    status: 503,
    kind: 'server',
    sentence: "The S3 store that holds files doesn't answer. Try again in a moment.",
  },

  // Authentication
  not_authenticated: { status: 401, kind: 'auth', sentence: 'Sign in, or send valid credentials.' },
  invalid_credentials: { status: 401, kind: 'auth', sentence: 'The email or password is incorrect.' },
  forbidden: { status: 403, kind: 'forbidden', sentence: "You don't have permission to do this." },
  key_route_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: "This API key doesn't have access to this route.",
  },
  origin_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: 'Requests with a cookie must come from the same site. Use a Bearer token instead.',
  },
} as const satisfies Record<string, ErrorEntry>
