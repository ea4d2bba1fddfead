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
  invalid_request: { status: 400, kind: 'invalid', sentence: "The request couldn't be understood." },
  invalid_json: { status: 400, kind: 'invalid', sentence: "The request body isn't valid JSON." },
  invalid_text: {
    status: 400,
    kind: 'invalid',
    sentence:
      "The request body contains text that isn't allowed: a NUL character, half of a surrogate pair, or invalid UTF-8.",
  },
  unsafe_key: { status: 400, kind: 'invalid', sentence: "The request body contains a key that isn't allowed." },
  body_too_large: { status: 413, kind: 'invalid', sentence: 'The request body is too large for this endpoint.' },
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

  // Who is asking
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

  // Accounts
  email_taken: { status: 409, kind: 'conflict', sentence: 'An account with this email already exists.' },
  signup_closed: {
    status: 403,
    kind: 'forbidden',
    sentence: 'Sign-up is closed for this email address. Ask for an invitation.',
  },
  email_not_verified: {
    status: 403,
    kind: 'forbidden',
    sentence: 'Verify your email address first. We can send you a link.',
  },
  password_too_common: {
    status: 422,
    kind: 'invalid',
    sentence: 'This password is too common. Choose another one.',
  },
  wrong_password: { status: 403, kind: 'forbidden', sentence: 'The current password is incorrect.' },
  invalid_otp: { status: 401, kind: 'auth', sentence: 'The code is incorrect, already used or expired.' },
  invalid_verification_token: {
    status: 400,
    kind: 'invalid',
    sentence: 'This link is invalid or has expired. Ask for a new one.',
  },
  otp_resend_too_soon: {
    status: 429,
    kind: 'limit',
    sentence: 'A code was just sent. Wait a moment before requesting another one.',
  },
  invalid_reset_token: {
    status: 400,
    kind: 'invalid',
    sentence: 'This reset link is invalid or has expired. Request a new one.',
  },
  session_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that session. It may have ended." },
  api_key_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that API key. It may have been revoked.",
  },
  key_exceeds_own_rights: {
    status: 403,
    kind: 'forbidden',
    sentence: "An API key can't create a key with more permissions than its own.",
  },

  // Platform
  wrong_setup_key: { status: 403, kind: 'forbidden', sentence: 'The setup key is incorrect.' },
  already_set_up: { status: 409, kind: 'conflict', sentence: 'A platform admin already exists.' },
  admin_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that platform admin." },
  last_admin: { status: 409, kind: 'conflict', sentence: "You can't remove the last active admin." },
  user_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that user." },
  transfer_refused: {
    status: 409,
    kind: 'conflict',
    sentence: "That person can't take this over. Choose somebody active in the same organization.",
  },
  organization_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that organization." },
  mail_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that email." },

  // Organizations
  no_organization: { status: 404, kind: 'missing', sentence: "You're not in an organization." },
  member_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that member." },
  invitation_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that invitation. It may have been revoked.",
  },
  invitation_not_valid: { status: 400, kind: 'invalid', sentence: 'This invitation is invalid or has expired.' },
  already_member: { status: 409, kind: 'conflict', sentence: 'This person is already a member.' },
  banned_by_platform: {
    status: 409,
    kind: 'conflict',
    sentence: 'This account was banned by the operators of this platform. Only they can lift the ban.',
  },
  company_login_required: {
    status: 403,
    kind: 'forbidden',
    sentence: 'Your organization uses its own sign-in. Sign in with your company account.',
  },
  already_invited: {
    status: 409,
    kind: 'conflict',
    sentence: 'This person has already been invited. Resend the invitation instead.',
  },
  unit_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that group or department." },
  domain_not_found: { status: 404, kind: 'missing', sentence: 'We couldn’t find that domain.' },
  domain_not_proven: {
    status: 409,
    kind: 'conflict',
    sentence: 'The TXT record wasn’t found at this domain. DNS changes can take a few hours.',
  },
  domain_required: {
    status: 409,
    kind: 'conflict',
    sentence: 'Verify an email domain before you switch to company sign-in, or ask the operators of this platform.',
  },
  email_domain_taken: {
    status: 409,
    kind: 'conflict',
    sentence: 'This email address belongs to the verified domain of another organization.',
  },
  invitation_for_another_address: {
    status: 409,
    kind: 'conflict',
    sentence: 'This invitation was sent to another email address. Sign in with that account to accept it.',
  },
  already_in_organization: {
    status: 409,
    kind: 'conflict',
    sentence: 'You already belong to an organization. Leave it before you join another one.',
  },
  domain_taken: { status: 409, kind: 'conflict', sentence: 'One of these domains belongs to another organization.' },
  name_taken: { status: 409, kind: 'conflict', sentence: 'This name is already taken.' },
  plan_limit_reached: { status: 409, kind: 'conflict', sentence: "You've reached the limit of your plan." },
  trial_expired: {
    status: 403,
    kind: 'forbidden',
    sentence: 'Your trial has ended. You can still view everything, but not make changes.',
  },

  // Company login
  sso_not_configured: { status: 503, kind: 'server', sentence: "Company login isn't set up on this instance." },
  sso_failed: { status: 400, kind: 'invalid', sentence: 'Company login failed. Try again.' },
  sso_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: "You can't sign in with this company login. Ask your admin.",
  },
  idp_unavailable: {
    status: 502,
    kind: 'provider',
    sentence: "The identity provider isn't responding correctly. Try again later.",
  },
  oauth_failed: { status: 400, kind: 'invalid', sentence: 'Signing in with the provider failed. Try again.' },
  oauth_address_not_proven: {
    status: 403,
    kind: 'forbidden',
    sentence:
      'An account with this email exists, but the email was never confirmed. Reset its password once, then sign in this way.',
  },
  oauth_address_not_verified: {
    status: 403,
    kind: 'forbidden',
    sentence: "That provider hasn't verified your email address. Verify it there, or sign in with your password.",
  },
  oauth_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: "You can't sign in with this provider. Use the sign-in method your organization has set up.",
  },
  oauth_signup_off: {
    status: 403,
    kind: 'forbidden',
    sentence: "You don't have an account yet, and this provider can't create one. Sign up or ask for an invitation.",
  },
  ldap_not_configured: { status: 404, kind: 'missing', sentence: 'No directory is connected.' },
  setting_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that setting." },
  setting_not_editable: {
    status: 409,
    kind: 'conflict',
    sentence: "This setting comes from the server's environment and can't be changed here.",
  },

  // Models
  model_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that model. It may have been removed, or you don't have access to it.",
  },
  model_exists: { status: 409, kind: 'conflict', sentence: 'A model with this ID already exists.' },
  model_base_invalid: {
    status: 422,
    kind: 'invalid',
    sentence: "This base model can't be used: it doesn't exist, or it is based on this model itself.",
  },
  connection_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that connection." },
  connection_not_editable: {
    status: 409,
    kind: 'conflict',
    sentence: "This connection comes from the server's environment and can't be changed here.",
  },
  grant_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: 'You can only give access to your own organization, its groups and its people.',
  },
  no_runtime: { status: 503, kind: 'server', sentence: 'No local model runtime is connected.' },
  provider_refused: { status: 400, kind: 'invalid', sentence: 'The model rejected the request.' },
  provider_busy: { status: 429, kind: 'limit', sentence: 'The model is busy. Try again in a moment.' },
  provider_failed: { status: 502, kind: 'provider', sentence: "Couldn't reach the model, or it failed. Try again." },
  provider_timeout: { status: 504, kind: 'provider', sentence: "The model didn't respond in time. Try again." },
  usage_limit_reached: { status: 429, kind: 'limit', sentence: "You've used up your allowance for models." },
  limit_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that limit." },
  limit_subject_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find the person, group, organization or API key for this limit.",
  },
  limit_exists: {
    status: 409,
    kind: 'conflict',
    sentence: 'There is already a limit for this subject. Edit that one instead.',
  },
  model_has_filters: {
    status: 403,
    kind: 'forbidden',
    sentence: "Filters apply to this model, and they don't run here. Call it through /api/chat/completions.",
  },
  tool_server_exists: { status: 409, kind: 'conflict', sentence: 'Two tool servers in the list have the same ID.' },
  plugin_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that plugin. It may have been deleted.",
  },
  plugin_exists: { status: 409, kind: 'conflict', sentence: 'There is already a plugin with this ID.' },
  plugin_invalid: { status: 422, kind: 'invalid', sentence: "The plugin can't be loaded." },
  plugin_method_unknown: { status: 422, kind: 'invalid', sentence: 'The plugin has no such method.' },
  plugin_failed: { status: 502, kind: 'provider', sentence: 'The plugin failed.' },
  plugin_has_no_valves: { status: 409, kind: 'conflict', sentence: 'This plugin has no settings.' },
  plugin_limit_reached: { status: 409, kind: 'conflict', sentence: 'There can be up to 500 plugins.' },
  tool_sign_in_required: { status: 403, kind: 'forbidden', sentence: 'Sign in to this tool server first.' },
  tool_server_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that tool server." },
  tool_server_sign_in_failed: { status: 502, kind: 'provider', sentence: 'The sign-in at the tool server failed.' },
  tool_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: "This tool doesn't exist, or you don't have access to it.",
  },

  // Chats
  chat_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that chat. It may have been deleted." },
  message_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that message." },
  folder_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that folder." },
  import_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that import." },
  import_exists: {
    status: 409,
    kind: 'conflict',
    sentence: 'You already started an import with this ID. Look at how it went, or choose another ID.',
  },
  folder_cycle: { status: 422, kind: 'invalid', sentence: "A folder can't be moved into itself." },
  prompt_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that prompt." },
  prompt_command_taken: {
    status: 409,
    kind: 'conflict',
    sentence: 'You already have a prompt with this command. Choose another command.',
  },
  prompt_limit_reached: { status: 409, kind: 'conflict', sentence: 'You can have up to 500 prompts.' },
  folder_limit_reached: { status: 409, kind: 'conflict', sentence: 'You can have up to 1,000 folders.' },
  share_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that shared chat. It may no longer be shared.",
  },
  history_invalid: { status: 422, kind: 'invalid', sentence: "The messages don't form a tree." },
  chat_too_large: {
    status: 413,
    kind: 'invalid',
    sentence: 'A chat can contain up to 10,000 messages and 8 MB of text.',
  },
  reply_running: { status: 409, kind: 'conflict', sentence: 'A reply to this message is already in progress.' },
  content_changed: {
    status: 409,
    kind: 'conflict',
    sentence: 'This message has changed since you loaded it. Reload the chat and try again.',
  },
  reply_not_running: { status: 404, kind: 'missing', sentence: 'No reply is in progress.' },
  reply_interrupted: {
    status: 503,
    kind: 'server',
    sentence: 'The service stopped while writing this reply. Regenerate it to continue.',
  },
  tool_failed: { status: 502, kind: 'provider', sentence: 'The tool failed.' },
  filter_not_found: { status: 400, kind: 'invalid', sentence: "The request names a filter that doesn't exist." },
  filter_refused: { status: 400, kind: 'invalid', sentence: 'A filter rejected the request.' },
  empty_content: {
    status: 400,
    kind: 'invalid',
    sentence:
      'The content provided is empty: the file has not been processed. Wait until its status is completed and try again.',
  },
  hash_mismatch: {
    status: 409,
    kind: 'conflict',
    sentence: "An uploaded file doesn't have the hash that the folder lists. Upload it again.",
  },
  duplicate_path: { status: 400, kind: 'invalid', sentence: 'A path is named twice.' },
  crawl_running: {
    status: 409,
    kind: 'conflict',
    sentence: 'Pages are being added to this collection already. Wait until they are, or stop that first.',
  },
  page_not_readable: { status: 400, kind: 'invalid', sentence: "The page couldn't be read." },
  model_cannot_see: {
    status: 400,
    kind: 'invalid',
    sentence: "This model can't read images. Choose one that can, or remove the image.",
  },
  too_many_images: { status: 400, kind: 'invalid', sentence: 'A conversation can show a model at most 20 images.' },
  not_an_image: { status: 400, kind: 'invalid', sentence: "This file isn't a PNG, JPEG, GIF or WebP image." },
  image_generation_unavailable: {
    status: 503,
    kind: 'server',
    sentence: "Making images isn't set up on this server.",
  },
  image_generation_failed: { status: 502, kind: 'provider', sentence: "The image couldn't be made. Try again." },
  image_unreadable: {
    status: 400,
    kind: 'invalid',
    sentence: 'This image is damaged or too large to read. Use another one.',
  },
  image_too_large: { status: 400, kind: 'invalid', sentence: 'An image for a model can have at most 10 MB.' },
  retrieval_unavailable: {
    status: 503,
    kind: 'server',
    sentence: "Searching files and collections isn't set up on this instance.",
  },
  web_search_unavailable: { status: 503, kind: 'server', sentence: "Web search isn't set up on this server." },
  web_search_failed: { status: 502, kind: 'provider', sentence: "The search engine didn't answer. Try again." },
  reply_too_long: { status: 502, kind: 'provider', sentence: "The model's reply is longer than a message can be." },
  task_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that task." },
  event_not_allowed: { status: 400, kind: 'invalid', sentence: "Events of this type can't be published from outside." },
  event_call_failed: { status: 504, kind: 'provider', sentence: "The browser didn't respond." },

  // Events
  ingest_not_configured: {
    status: 503,
    kind: 'server',
    sentence: "Publishing events with a shared key isn't set up. Use your own API key, or set SVC_EVENT_API_KEY.",
  },
  event_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that event." },
  payload_too_large: { status: 413, kind: 'invalid', sentence: "The event's payload is too large." },
  dead_letter_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that dead letter. It may have been retried or discarded.",
  },
  subscription_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that subscription." },
  filter_invalid: { status: 422, kind: 'invalid', sentence: "The filter isn't a valid expression." },

  // Workflows
  workflow_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that workflow. It may have been deleted.",
  },
  version_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that version of the workflow." },
  catalog_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that catalog." },
  credential_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that credential." },
  webhook_run_failed: { status: 502, kind: 'server', sentence: 'The workflow that this request started failed.' },
  space_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that space." },
  graph_changed: {
    status: 409,
    kind: 'conflict',
    sentence: 'Someone else changed this workflow. Reload it and make your change again.',
  },
  graph_invalid: { status: 422, kind: 'invalid', sentence: "This workflow has problems and can't run yet." },
  workflow_not_draft: { status: 409, kind: 'conflict', sentence: 'Only a draft can be submitted for review.' },
  workflow_not_staged: { status: 409, kind: 'conflict', sentence: "This workflow isn't in review." },
  workflow_in_review: {
    status: 409,
    kind: 'conflict',
    sentence: 'This workflow is in review. Reject or edit it before rolling back.',
  },

  // Runs
  trigger_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that trigger." },
  webhook_refused: {
    status: 401,
    kind: 'auth',
    sentence: "The webhook doesn't exist or is off, or the signature is missing, wrong or too old.",
  },
  run_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that run." },
  workflow_not_published: {
    status: 409,
    kind: 'conflict',
    sentence: 'Only a published workflow can be started. Submit it for review and publish it first.',
  },
  run_finished: { status: 409, kind: 'conflict', sentence: 'This run has already ended.' },
  run_not_retryable: {
    status: 409,
    kind: 'conflict',
    sentence: 'Only a run that failed, was cancelled or timed out can be retried.',
  },
  run_retried: {
    status: 409,
    kind: 'conflict',
    sentence: 'A retry of this run has already succeeded.',
  },
  run_not_replayable: {
    status: 409,
    kind: 'conflict',
    sentence: 'Only a run that has ended can be replayed, and neither a test nor a run that another run started.',
  },
  run_active: { status: 409, kind: 'conflict', sentence: 'Another run with the same correlation ID is in progress.' },
  approval_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that approval." },
  approval_closed: {
    status: 409,
    kind: 'conflict',
    sentence: 'This approval has already been answered or has expired.',
  },
  node_failed: { status: 422, kind: 'invalid', sentence: 'A step of the workflow failed.' },

  // Signing: the PDF itself
  not_a_pdf: {
    status: 415,
    kind: 'invalid',
    sentence: "This file can't be signed. Upload a PDF, a PNG or JPEG picture, or a Word or OpenDocument file.",
  },
  signing_ai_off: {
    status: 403,
    kind: 'forbidden',
    sentence: 'AI for documents is off. An admin of your organization can turn it on.',
  },
  document_without_text: {
    status: 422,
    kind: 'invalid',
    sentence: 'This document has no text that can be read. It may be a scan.',
  },
  picture_unreadable: {
    status: 422,
    kind: 'invalid',
    sentence: "This picture can't be read. Save it again as PNG or JPEG, or as a PDF.",
  },
  picture_too_large: {
    status: 422,
    kind: 'invalid',
    sentence: 'This picture is too large. The limit is 50 megapixels.',
  },
  converter_missing: {
    status: 415,
    kind: 'invalid',
    sentence:
      "Word and OpenDocument files can't be converted because LibreOffice isn't installed on this server. Upload a PDF, or ask your administrator to install LibreOffice.",
  },
  conversion_failed: {
    status: 422,
    kind: 'invalid',
    sentence: "This file couldn't be converted to PDF. Export it as PDF from its program and upload that.",
  },
  pdf_damaged: {
    status: 422,
    kind: 'invalid',
    sentence: "This PDF is damaged and can't be read. Save it again from its program and upload the new copy.",
  },
  pdf_encrypted: {
    status: 422,
    kind: 'invalid',
    sentence: 'This PDF is protected by a password. Remove the protection and upload it again.',
  },
  pdf_too_complex: {
    status: 422,
    kind: 'invalid',
    sentence: 'Reading this PDF takes too much time or memory. Print it to a new PDF and upload that.',
  },
  pdf_too_many_pages: { status: 422, kind: 'invalid', sentence: 'This PDF has too many pages.' },

  // Signing: the seal
  seal_key_unusable: {
    status: 503,
    kind: 'server',
    sentence: "Documents can't be sealed: the sealing certificate can't be used.",
  },
  seal_key_refused: {
    status: 422,
    kind: 'invalid',
    sentence: "This certificate can't seal documents.",
  },
  seal_timestamp_failed: { status: 502, kind: 'provider', sentence: "The time-stamp authority didn't answer." },
  original_changed: {
    status: 500,
    kind: 'server',
    sentence: 'A stored file is missing or has changed since it was uploaded, so the document was not sealed.',
  },
  seal_failed: { status: 500, kind: 'server', sentence: "The document couldn't be sealed. The error has been logged." },

  // Signing: documents, recipients and links
  document_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that document." },
  template_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that template." },
  bulk_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that bulk job." },
  recipient_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that recipient." },
  file_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that file." },
  link_not_found: {
    status: 404,
    kind: 'missing',
    sentence: 'This link is invalid or has expired. Ask the sender for a new one.',
  },
  webhook_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that webhook." },
  webhook_off: { status: 409, kind: 'conflict', sentence: 'This webhook is switched off. Switch it on first.' },
  too_many_webhooks: { status: 409, kind: 'conflict', sentence: 'There can be at most 20 webhooks. Delete one first.' },
  delivery_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that delivery." },
  delivery_pending: { status: 409, kind: 'conflict', sentence: 'This delivery is still being sent.' },
  sender_missing: {
    status: 403,
    kind: 'forbidden',
    sentence: 'A document needs a person who sends it. Choose who this workflow runs as.',
  },
  document_not_ready: { status: 409, kind: 'conflict', sentence: "This document can't be sent yet." },
  document_sent: {
    status: 409,
    kind: 'conflict',
    sentence: "This document has been sent, so it can't be changed any more.",
  },
  document_changed: {
    status: 409,
    kind: 'conflict',
    sentence: 'This document was changed in another tab. Reload it and make your change again.',
  },
  document_not_sent: { status: 409, kind: 'conflict', sentence: "This document hasn't been sent yet." },
  document_in_progress: {
    status: 409,
    kind: 'conflict',
    sentence: 'This document is still being signed. Cancel it before you delete it.',
  },
  document_finished: { status: 409, kind: 'conflict', sentence: 'This document is closed.' },
  document_expired: {
    status: 409,
    kind: 'conflict',
    sentence: 'This document has expired. Ask the sender to send it again.',
  },
  document_not_completed: {
    status: 409,
    kind: 'conflict',
    sentence: "The sealed document isn't ready yet. It's available once everyone has signed.",
  },
  last_file: { status: 409, kind: 'conflict', sentence: "A document's last file can't be removed." },
  recipient_settled: {
    status: 409,
    kind: 'conflict',
    sentence: 'This recipient has already signed, declined or been replaced.',
  },
  recipient_not_notified: {
    status: 409,
    kind: 'conflict',
    sentence: "It isn't this recipient's turn yet. They get a link when it is.",
  },
  seal_not_failed: { status: 409, kind: 'conflict', sentence: "Sealing this document hasn't failed." },
  otp_required: {
    status: 403,
    kind: 'forbidden',
    sentence: 'Enter the code that we email to you before you open this document.',
  },
  otp_not_needed: { status: 409, kind: 'conflict', sentence: "This document doesn't ask for a code." },
  otp_locked: {
    status: 409,
    kind: 'conflict',
    sentence: 'Too many wrong codes. Ask the sender for a new link.',
  },
  consent_required: {
    status: 409,
    kind: 'conflict',
    sentence: 'Agree to sign electronically first.',
  },
  fields_missing: { status: 422, kind: 'invalid', sentence: 'Some fields still need to be filled in.' },
  not_your_turn: {
    status: 409,
    kind: 'conflict',
    sentence: "It isn't your turn yet. We'll email you when it is.",
  },
  already_signed: { status: 409, kind: 'conflict', sentence: 'You have already signed this document.' },
  nothing_to_sign: { status: 409, kind: 'conflict', sentence: 'You can view this document, but not sign it.' },
  delegation_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: "The sender doesn't allow someone else to sign for you.",
  },

  // Memory
  memory_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that memory. It may have been deleted.",
  },
  memory_full: { status: 409, kind: 'conflict', sentence: 'Your memory is full. Delete some facts first.' },

  // Speech
  speech_engine_not_set: {
    status: 404,
    kind: 'missing',
    sentence: 'No text-to-speech engine is set up on this server. Your browser can read aloud instead.',
  },
  speech_engine_not_ready: { status: 503, kind: 'provider', sentence: "The speech engine isn't set up completely." },
  speech_engine_failed: { status: 502, kind: 'provider', sentence: 'The speech engine failed. Try again.' },
  audio_not_readable: { status: 422, kind: 'invalid', sentence: "This recording can't be read." },

  // Reaching out
  outbound_blocked: { status: 400, kind: 'invalid', sentence: "Connections to this address aren't allowed." },
  outbound_failed: { status: 502, kind: 'provider', sentence: "Couldn't reach the other server." },
  outbound_timeout: { status: 504, kind: 'provider', sentence: "The other server didn't respond in time." },
  outbound_too_large: { status: 502, kind: 'provider', sentence: "The other server's response is too large." },
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
