/** Models, chats, memory, speech and reaching out. */
import type { ErrorEntry } from './entry.ts'

export const chatsErrors = {
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
  mcp_client_invalid: {
    status: 400,
    kind: 'invalid',
    sentence: 'This sign-in request is not valid. Start again in the application that sent you here.',
  },
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
  public_link_not_found: {
    status: 404,
    kind: 'missing',
    sentence: 'That public link no longer exists. It may have been removed in another tab.',
  },
  public_links_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: "Your organization doesn't allow public links. Ask an administrator to turn them on.",
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
  reader_too_slow: {
    status: 408,
    kind: 'limit',
    sentence: 'This connection read the reply too slowly. The reply continues without it.',
  },
  filter_failed: {
    status: 502,
    kind: 'provider',
    sentence: 'A required filter failed, so the reply was withheld. Try again, or ask an administrator.',
  },
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
  collection_changed: {
    status: 409,
    kind: 'conflict',
    sentence:
      'This sync would remove or replace files that were added or changed since its preview. Nothing was changed. Sync the folder again.',
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
  too_many_images: { status: 400, kind: 'invalid', sentence: 'A message can have at most 20 images.' },
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
