/** What tool servers are told about who asks. */
import { bool, matching, type ValuesOf } from '#kernel/config/variable.ts'
import type { RealtimeConfig } from '#modules/realtime/index.ts'

const headerName = /^[A-Za-z0-9-]{1,100}$/
const header = (fallback: string, sentence: string) =>
  matching(headerName, { fallback, sentence, problem: 'must be the name of a header' })

export const toolServersVariables = {
  'Tool servers': {
    ENABLE_FORWARD_USER_INFO_HEADERS: bool({
      fallback: false,
      sentence: 'Tells tool servers who asks and for which chat, in the headers below; never a key or a session.',
    }),
    FORWARD_USER_INFO_HEADER_USER_NAME: header('X-svc-User-Name', "The header with the user's name, percent-encoded."),
    FORWARD_USER_INFO_HEADER_USER_ID: header('X-svc-User-Id', "The header with the user's ID."),
    FORWARD_USER_INFO_HEADER_USER_EMAIL: header('X-svc-User-Email', "The header with the user's email address."),
    FORWARD_USER_INFO_HEADER_USER_ROLE: header('X-svc-User-Role', "The header with the user's role."),
    FORWARD_SESSION_INFO_HEADER_CHAT_ID: header('X-svc-Chat-Id', 'The header with the ID of the chat.'),
    FORWARD_SESSION_INFO_HEADER_MESSAGE_ID: header('X-svc-Message-Id', 'The header with the ID of the message.'),
  },
} as const
export type ToolServersConfig = ValuesOf<typeof toolServersVariables> & RealtimeConfig
