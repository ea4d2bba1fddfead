/** Replies of models. */
import { CompletedBody, CompletionBody, ResumeQuery, TaskIds, TaskStopped } from '../chats/completions.ts'
import { CountTokensBody, MessagesBody, TokenCount } from '../chats/messages-format.ts'
import { get, post } from '../endpoint.ts'

export const completeChat = post('/api/chat/completed', { body: CompletedBody, reply: 'raw' })
export const listReplies = get('/api/tasks/chat/:chatId', { reply: TaskIds })
export const stopReplies = post('/api/tasks/chat/:chatId/stop', { reply: TaskStopped })
export const stopReply = post('/api/tasks/stop/:taskId', { reply: TaskStopped })
export const followReply = get('/api/v1/chats/:chatId/messages/:messageId/stream', { query: ResumeQuery, reply: 'raw' })
export const complete = post('/api/chat/completions', { body: CompletionBody, reply: 'raw' })
export const createMessage = post('/api/v1/messages', { body: MessagesBody, reply: 'raw' })
export const countTokens = post('/api/v1/messages/count_tokens', { body: CountTokensBody, reply: TokenCount })
