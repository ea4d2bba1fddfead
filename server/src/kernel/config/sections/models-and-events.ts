/** Models, events, tool servers and other servers. */
import { bool, currency, integer, list, matching, text, url, web } from '../variable.ts'

const hostAndPort = (item: string): string => {
  if (/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):\d{1,5}$/i.test(item)) return item.toLowerCase()
  throw new Error(`must be a list of exact host:port pairs; "${item}" is none`)
}

const webAddress = (item: string): string => {
  const protocol = URL.parse(item)?.protocol
  if (protocol === 'http:' || protocol === 'https:') return item
  throw new Error(`must be a list of http or https addresses; "${item}" is none`)
}

const headerName = /^[A-Za-z0-9-]{1,100}$/
const header = (fallback: string, sentence: string) =>
  matching(headerName, { fallback, sentence, problem: 'must be the name of a header' })

export const modelsAndEvents = {
  Models: {
    UPSTREAM_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: web,
      sentence: 'A local model runtime, such as http://localhost:11434.',
    }),
    UPSTREAM_BASE_URLS: list({
      fallback: [],
      separator: ';',
      item: webAddress,
      sentence: 'Several local model runtimes.',
    }),
    COMPAT_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: web,
      sentence: 'A provider of the common chat-completion API, with its version: https://host/v1.',
    }),
    COMPAT_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    COMPAT_API_BASE_URLS: list({ fallback: [], separator: ';', item: webAddress, sentence: 'Several such providers.' }),
    COMPAT_API_KEYS: list({
      fallback: [],
      keepsEmpty: true,
      separator: ';',
      secret: true,
      sentence: 'Their keys, in the same order; an empty item means none.',
    }),
    HTTP_CLIENT_TIMEOUT: integer({
      fallback: 600,
      min: 1,
      max: 86_400,
      sentence: "Seconds that a model's reply may take to begin, and then to pause.",
    }),
    HTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST: integer({
      fallback: 30,
      min: 1,
      max: 3600,
      sentence: 'Seconds that a connection may take to list its models.',
    }),
    WEBSOCKET_EVENT_CALLER_TIMEOUT: integer({
      fallback: 300,
      min: 1,
      max: 86_400,
      sentence: 'Seconds that a question to the browser waits for its answer.',
    }),
    SVC_CURRENCY: currency({
      fallback: 'USD',
      sentence:
        'The ISO 4217 code of the currency that prices of models are given in. What runs have cost keeps its own.',
    }),
  },
  Events: {
    SVC_EVENT_API_KEY: text({
      fallback: undefined,
      fallbackText: 'none: only people publish, with keys of their own',
      secret: true,
      sentence: 'The key with which other systems publish events to the whole instance, in the header X-Api-Key.',
    }),
    EVENT_MAX_PAYLOAD_BYTES: integer({
      fallback: 262_144,
      min: 1024,
      max: 16_777_216,
      sentence: "How large an event's payload may be.",
    }),
  },
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
  'Reaching other servers': {
    OUTBOUND_ALLOWED_HOSTS: list({
      fallback: [],
      separator: ',',
      item: hostAndPort,
      sentence: 'Exact host:port pairs that may be reached though they are not public.',
    }),
  },
} as const
