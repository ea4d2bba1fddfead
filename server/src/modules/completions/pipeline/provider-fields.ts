/** The part of a request that goes to the model. Our own fields stay here, and so does whatever could steer a provider. */
import type { CompletionBody } from '@chancery/contract/chats/completions.ts'
import { isSteeringField, type ProviderRequest } from '#modules/models/index.ts'

const ownFields = new Set([
  'chat_id',
  'id',
  'session_id',
  'parent_id',
  'background_tasks',
  'features',
  'variables',
  'filter_ids',
  'files',
  'tool_ids',
  'user_message',
  'message_ids',
  'folder_id',
  'model_item',
])

export const providerBody = (body: CompletionBody): ProviderRequest => {
  const wanted: ProviderRequest = { messages: body.messages }
  for (const name in body) if (!ownFields.has(name) && !isSteeringField(name)) wanted[name] = body[name]
  return wanted
}
