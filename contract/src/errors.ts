/**
 * Every error the service can answer, in one table: code → status, kind and the sentence a person reads.
 * The server throws by code, the web app explains by code, and docs/ERRORS.md is generated from here.
 */
import { z } from 'zod'

export type ErrorKind = 'invalid' | 'auth' | 'forbidden' | 'missing' | 'conflict' | 'limit' | 'provider' | 'server'

interface ErrorEntry {
  status: number
  kind: ErrorKind
  sentence: string
}

export const errorTable = {
  // The request itself
  invalid_request: { status: 400, kind: 'invalid', sentence: 'The request could not be understood.' },
  invalid_json: { status: 400, kind: 'invalid', sentence: 'The body is not valid JSON.' },
  invalid_text: {
    status: 400,
    kind: 'invalid',
    sentence: 'The body holds a character that no text may hold: a NUL, half of a surrogate pair, or broken UTF-8.',
  },
  unsafe_key: { status: 400, kind: 'invalid', sentence: 'The body holds a key that is not allowed.' },
  body_too_large: { status: 413, kind: 'invalid', sentence: 'The body is larger than this endpoint accepts.' },
  file_too_large: { status: 413, kind: 'invalid', sentence: 'The file is larger than this endpoint accepts.' },
  too_many_files: { status: 413, kind: 'invalid', sentence: 'The form has more files than this endpoint accepts.' },
  file_type_not_allowed: {
    status: 415,
    kind: 'invalid',
    sentence: 'This endpoint does not accept files of that type. The type is read from the content, not from the name.',
  },
  invalid_multipart: {
    status: 400,
    kind: 'invalid',
    sentence:
      'The form could not be read: its boundary is missing or wrong, a part is malformed, or it ends too early.',
  },
  upload_expired: {
    status: 409,
    kind: 'conflict',
    sentence: 'The uploaded file was not used in time and has been removed. Upload it again.',
  },
  range_not_satisfiable: { status: 416, kind: 'invalid', sentence: 'The asked range lies beyond the end.' },
  unsupported_media_type: { status: 415, kind: 'invalid', sentence: 'This endpoint does not read that content type.' },
  validation_failed: { status: 422, kind: 'invalid', sentence: 'Some fields are not valid.' },
  not_found: { status: 404, kind: 'missing', sentence: 'There is nothing here.' },
  too_many_requests: { status: 429, kind: 'limit', sentence: 'Too many requests. Wait a little and try again.' },
  internal_error: { status: 500, kind: 'server', sentence: 'Something went wrong on our side. It has been logged.' },
  not_ready: { status: 503, kind: 'server', sentence: 'The service is starting or stopping. Try again in a moment.' },
  database_unavailable: {
    status: 503,
    kind: 'server',
    sentence: 'The database does not answer. Try again in a moment.',
  },

  // Who is asking
  not_authenticated: { status: 401, kind: 'auth', sentence: 'Sign in, or send a valid credential.' },
  invalid_credentials: { status: 401, kind: 'auth', sentence: 'The address or the password is not right.' },
  forbidden: { status: 403, kind: 'forbidden', sentence: 'You are not allowed to do this.' },
  key_route_not_allowed: { status: 403, kind: 'forbidden', sentence: 'This API key may not use this address.' },
  origin_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: 'A write with a cookie must come from the same site. Use a Bearer token instead.',
  },

  // Accounts
  email_taken: { status: 409, kind: 'conflict', sentence: 'An account with this address exists already.' },
  password_too_common: {
    status: 422,
    kind: 'invalid',
    sentence: 'This password is among the most common ones. Choose another.',
  },
  wrong_password: { status: 403, kind: 'forbidden', sentence: 'The current password is not right.' },
  invalid_otp: { status: 401, kind: 'auth', sentence: 'The code is not right, is used up or has expired.' },
  otp_resend_too_soon: {
    status: 429,
    kind: 'limit',
    sentence: 'A code was sent a moment ago. Wait before asking for another.',
  },
  invalid_reset_token: { status: 400, kind: 'invalid', sentence: 'This reset link is not valid or has been used.' },
  session_not_found: { status: 404, kind: 'missing', sentence: 'There is no such session.' },
  api_key_not_found: { status: 404, kind: 'missing', sentence: 'There is no such API key.' },
  key_exceeds_own_rights: {
    status: 403,
    kind: 'forbidden',
    sentence: 'A key cannot make a key that may do more than itself.',
  },

  // Platform
  wrong_setup_key: { status: 403, kind: 'forbidden', sentence: 'The setup key is not right.' },
  already_set_up: { status: 409, kind: 'conflict', sentence: 'A platform admin exists already.' },
  admin_not_found: { status: 404, kind: 'missing', sentence: 'There is no such platform admin.' },
  last_admin: { status: 409, kind: 'conflict', sentence: 'The last active administrator must stay.' },
  user_not_found: { status: 404, kind: 'missing', sentence: 'There is no such user.' },
  organization_not_found: { status: 404, kind: 'missing', sentence: 'There is no such organization.' },
  mail_not_found: { status: 404, kind: 'missing', sentence: 'There is no such mail in the outbox.' },

  // Organizations
  no_organization: { status: 404, kind: 'missing', sentence: 'You belong to no organization.' },
  member_not_found: { status: 404, kind: 'missing', sentence: 'There is no such member.' },
  invitation_not_found: { status: 404, kind: 'missing', sentence: 'There is no such invitation.' },
  invitation_not_valid: { status: 400, kind: 'invalid', sentence: 'This invitation is not valid or has been used.' },
  already_member: { status: 409, kind: 'conflict', sentence: 'This person has an account already.' },
  already_invited: {
    status: 409,
    kind: 'conflict',
    sentence: 'This person has been invited already. Resend the invitation.',
  },
  unit_not_found: { status: 404, kind: 'missing', sentence: 'There is no such group or department.' },
  domain_taken: { status: 409, kind: 'conflict', sentence: 'One of these domains belongs to another organization.' },
  name_taken: { status: 409, kind: 'conflict', sentence: 'This name is taken already.' },
  plan_limit_reached: { status: 409, kind: 'conflict', sentence: 'The plan allows no more of these.' },
  trial_expired: {
    status: 403,
    kind: 'forbidden',
    sentence: 'The trial has ended: everything can still be read, nothing changed.',
  },

  // Company login
  sso_not_configured: { status: 503, kind: 'server', sentence: 'Company login is not configured here.' },
  sso_failed: { status: 400, kind: 'invalid', sentence: 'The company login did not succeed. Start again.' },
  sso_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: 'This company login does not open an account here. Ask your administrator.',
  },
  idp_unavailable: { status: 502, kind: 'provider', sentence: 'The identity provider does not answer as it should.' },
  oauth_failed: { status: 400, kind: 'invalid', sentence: 'The login at the other side did not succeed. Start again.' },
  oauth_address_not_proven: {
    status: 403,
    kind: 'forbidden',
    sentence:
      'An account with this address exists but has never proved it. Reset its password once, then sign in this way.',
  },
  oauth_address_not_verified: {
    status: 403,
    kind: 'forbidden',
    sentence: 'The other side does not vouch for your mail address. Verify it there, or sign in with your password.',
  },
  oauth_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: 'This login does not open your account here. Sign in the way your organization set up.',
  },
  oauth_signup_off: {
    status: 403,
    kind: 'forbidden',
    sentence: 'You have no account here yet, and this login does not make one. Register or ask for an invitation.',
  },
  ldap_not_configured: { status: 404, kind: 'missing', sentence: 'No directory is configured.' },
  setting_not_found: { status: 404, kind: 'missing', sentence: 'There is no such setting.' },
  setting_not_editable: { status: 409, kind: 'conflict', sentence: 'This setting comes from the environment.' },

  // Models
  model_not_found: { status: 404, kind: 'missing', sentence: 'There is no such model.' },
  model_exists: { status: 409, kind: 'conflict', sentence: 'A model with this id exists already.' },
  model_base_invalid: {
    status: 422,
    kind: 'invalid',
    sentence: 'A model cannot be built on this base: it does not exist, or leads back to the model itself.',
  },
  connection_not_found: { status: 404, kind: 'missing', sentence: 'There is no such connection.' },
  connection_not_editable: { status: 409, kind: 'conflict', sentence: 'This connection comes from the environment.' },
  grant_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: 'You can grant this only to your own organization, its groups and its people.',
  },
  no_runtime: { status: 503, kind: 'server', sentence: 'No local model runtime is connected.' },
  provider_refused: { status: 400, kind: 'invalid', sentence: 'The model refused the request.' },
  provider_busy: { status: 429, kind: 'limit', sentence: 'The model takes no more requests at the moment.' },
  provider_failed: { status: 502, kind: 'provider', sentence: 'The model could not be reached or failed.' },
  provider_timeout: { status: 504, kind: 'provider', sentence: 'The model did not answer in time.' },
  usage_limit_reached: { status: 429, kind: 'limit', sentence: 'Your allowance for models is used up.' },
  limit_not_found: { status: 404, kind: 'missing', sentence: 'There is no such limit.' },
  limit_subject_not_found: {
    status: 404,
    kind: 'missing',
    sentence: 'There is no such person, group, organization or key to limit.',
  },
  limit_exists: { status: 409, kind: 'conflict', sentence: 'This subject has its limits already. Change those.' },
  tool_not_allowed: { status: 403, kind: 'forbidden', sentence: 'This tool does not exist or is not yours to use.' },

  // Chats
  chat_not_found: { status: 404, kind: 'missing', sentence: 'There is no such chat.' },
  message_not_found: { status: 404, kind: 'missing', sentence: 'There is no such message.' },
  folder_not_found: { status: 404, kind: 'missing', sentence: 'There is no such folder.' },
  folder_cycle: { status: 422, kind: 'invalid', sentence: 'A folder cannot lie within itself.' },
  folder_limit_reached: { status: 409, kind: 'conflict', sentence: 'There are 1,000 folders already.' },
  share_not_found: { status: 404, kind: 'missing', sentence: 'There is no such shared chat.' },
  history_invalid: { status: 422, kind: 'invalid', sentence: 'The messages do not form a tree.' },
  chat_too_large: { status: 413, kind: 'invalid', sentence: 'A chat holds at most 10,000 messages and 8 MB of text.' },
  reply_running: { status: 409, kind: 'conflict', sentence: 'A reply to this message is being written already.' },
  reply_not_running: { status: 404, kind: 'missing', sentence: 'No reply is being written here.' },
  reply_interrupted: {
    status: 503,
    kind: 'server',
    sentence: 'The service stopped while this reply was written. Ask again for the rest.',
  },
  tool_failed: { status: 502, kind: 'provider', sentence: 'The tool failed.' },
  filter_refused: { status: 400, kind: 'invalid', sentence: 'A filter refused the request.' },
  retrieval_unavailable: {
    status: 503,
    kind: 'server',
    sentence: 'Files and collections cannot be searched here: nothing is set up for it.',
  },
  reply_too_long: { status: 502, kind: 'provider', sentence: 'The model wrote more than a message can hold.' },
  task_not_found: { status: 404, kind: 'missing', sentence: 'There is no such task.' },
  event_not_allowed: { status: 400, kind: 'invalid', sentence: 'Events of this type cannot be sent from outside.' },
  event_call_failed: { status: 504, kind: 'provider', sentence: 'The browser gave no answer.' },

  // Events
  ingest_not_configured: {
    status: 503,
    kind: 'server',
    sentence: 'No key for publishing events is set up here. Use an API key of your own, or set SVC_EVENT_API_KEY.',
  },
  event_not_found: { status: 404, kind: 'missing', sentence: 'There is no such event.' },
  payload_too_large: { status: 413, kind: 'invalid', sentence: "The event's payload is larger than we accept." },
  dead_letter_not_found: { status: 404, kind: 'missing', sentence: 'There is no such dead letter.' },
  subscription_not_found: { status: 404, kind: 'missing', sentence: 'There is no such subscription.' },
  filter_invalid: { status: 422, kind: 'invalid', sentence: 'The filter is not an expression that we understand.' },

  // Workflows
  workflow_not_found: { status: 404, kind: 'missing', sentence: 'There is no such workflow.' },
  version_not_found: { status: 404, kind: 'missing', sentence: 'There is no such version of this workflow.' },
  catalog_not_found: { status: 404, kind: 'missing', sentence: 'There is no such catalog.' },
  space_not_found: { status: 404, kind: 'missing', sentence: 'There is no such space.' },
  graph_changed: {
    status: 409,
    kind: 'conflict',
    sentence: 'Somebody else changed this graph meanwhile. Load it again and repeat your change.',
  },
  graph_invalid: { status: 422, kind: 'invalid', sentence: 'This graph cannot run yet.' },
  workflow_not_draft: { status: 409, kind: 'conflict', sentence: 'Only a draft can be submitted for review.' },
  workflow_not_staged: { status: 409, kind: 'conflict', sentence: 'This workflow is not waiting for review.' },
  workflow_in_review: {
    status: 409,
    kind: 'conflict',
    sentence: 'This workflow is waiting for review. Have it rejected, or edit it, before it is rolled back.',
  },

  // Runs
  trigger_not_found: { status: 404, kind: 'missing', sentence: 'This workflow has no such trigger.' },
  webhook_refused: {
    status: 401,
    kind: 'auth',
    sentence: 'There is no such webhook, it is off, or the signature is missing, wrong or too old.',
  },
  run_not_found: { status: 404, kind: 'missing', sentence: 'There is no such run.' },
  workflow_not_published: {
    status: 409,
    kind: 'conflict',
    sentence: 'Only a published workflow can be started. Have it reviewed and published first.',
  },
  run_finished: { status: 409, kind: 'conflict', sentence: 'This run has ended already.' },
  run_not_retryable: {
    status: 409,
    kind: 'conflict',
    sentence: 'Only a run that failed, was cancelled or ran out of time can be tried again.',
  },
  run_retried: {
    status: 409,
    kind: 'conflict',
    sentence: 'A retry of this run has succeeded; there is nothing left to retry.',
  },
  run_active: { status: 409, kind: 'conflict', sentence: 'Another run of the same correlation is under way.' },
  approval_not_found: { status: 404, kind: 'missing', sentence: 'There is no such approval.' },
  approval_closed: {
    status: 409,
    kind: 'conflict',
    sentence: 'This has been answered already, or is no longer asked.',
  },
  node_failed: { status: 422, kind: 'invalid', sentence: 'A step of the workflow could not be done.' },

  // Reaching out
  outbound_blocked: { status: 400, kind: 'invalid', sentence: 'This address may not be reached from here.' },
  outbound_failed: { status: 502, kind: 'provider', sentence: 'The other server could not be reached.' },
  outbound_timeout: { status: 504, kind: 'provider', sentence: 'The other server did not answer in time.' },
  outbound_too_large: { status: 502, kind: 'provider', sentence: 'The other server sent more than we accept.' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorTable

export const FieldProblem = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
  /** Where in a longer text, both from 1. */
  line: z.int().optional(),
  column: z.int().optional(),
})
export type FieldProblem = z.infer<typeof FieldProblem>

export const ErrorBody = z.object({
  detail: z.union([z.string(), z.array(FieldProblem)]),
  code: z.string(),
  request_id: z.string(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
