/** What of a request is the model's business. Our own fields stay here, and so does whatever could name another target. */
import type { CompletionBody } from '@chancery/contract/completions.ts'
import type { ProviderRequest } from '#modules/models/index.ts'

const ours = new Set([
  ...['chat_id', 'id', 'session_id', 'parent_id', 'background_tasks', 'features', 'variables', 'filter_ids', 'files'],
  ...['tool_ids', 'user_message', 'message_ids', 'folder_id', 'model_item'],
  // Gateways behind us would follow these to wherever they point (A26).
  ...['api_base', 'base_url', 'api_key', 'api_version', 'custom_llm_provider', 'extra_headers', 'headers', 'url'],
])

export const providerBody = (body: CompletionBody): ProviderRequest => {
  const wanted: ProviderRequest = { messages: body.messages }
  for (const name in body) if (!ours.has(name)) wanted[name] = body[name]
  return wanted
}
