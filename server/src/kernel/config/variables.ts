/** Every environment variable, in one table. docs/CONFIGURATION.md is generated from it. */
import { existsSync } from 'node:fs'
import { bool, choice, currency, duration, integer, list, matching, parameters, secret, text, url } from './variable.ts'

/** Inside a container, its own loopback would be reached by nobody. */
const isInContainer = (): boolean => existsSync('/.dockerenv') || existsSync('/run/.containerenv')

const hostAndPort = (item: string): string => {
  if (/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):\d{1,5}$/i.test(item)) return item.toLowerCase()
  throw new Error(`must be a list of exact host:port pairs; "${item}" is none`)
}

const webAddress = (item: string): string => {
  const protocol = URL.parse(item)?.protocol
  if (protocol === 'http:' || protocol === 'https:') return item
  throw new Error(`must be a list of http or https addresses; "${item}" is none`)
}

const directoryId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What the login itself puts into the authorize address. */
export const reservedAuthorizeParams = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri'],
] as const

const headerName = /^[A-Za-z0-9-]{1,100}$/
const header = (fallback: string, sentence: string) =>
  matching(headerName, { fallback, sentence, problem: 'must be the name of a header' })

const web = ['http:', 'https:'] as const

export const sections = {
  'Where it runs': {
    PORT: integer({ fallback: 8080, min: 0, max: 65_535, sentence: 'The port it listens on; 0 picks a free one.' }),
    HOST: text({
      fallback: isInContainer() ? '0.0.0.0' : '127.0.0.1',
      fallbackText: '`127.0.0.1`, inside a container `0.0.0.0`',
      sentence: 'The address it listens on.',
    }),
    ENV: text({ fallback: 'prod', sentence: 'dev opens the interactive API documentation at /docs.' }),
    SVC_URL: url({
      fallback: undefined,
      fallbackText: 'http://localhost:PORT',
      protocols: ['http:', 'https:'],
      sentence: 'The external address of this instance, used in mails and login redirects.',
    }),
    SVC_DATA_DIR: text({ fallback: './data', sentence: 'Holds the embedded database, blobs and generated secrets.' }),
    SVC_ROLE: choice(['all', 'api', 'worker'], {
      fallback: 'all',
      sentence: 'What this process does: answer requests, work jobs, or both.',
    }),
    SVC_BUILD: choice(['release', 'pre-release'], {
      fallback: 'release',
      sentence: 'Which of the two documented behaviours of outlet filters applies.',
    }),
    LOG_LEVEL: choice(['silent', 'error', 'warn', 'info', 'debug'], {
      fallback: 'info',
      sentence: 'How much is logged.',
    }),
    TRUSTED_PROXIES: list({
      fallback: [],
      separator: ',',
      sentence: 'Addresses or networks whose X-Forwarded-* headers are believed.',
    }),
    SVC_SIGNUP: choice(['open', 'domains', 'invite'], {
      fallback: 'open',
      sentence: 'Who may register: anybody, addresses of SVC_SIGNUP_DOMAINS, or only invited people.',
    }),
    SVC_SIGNUP_DOMAINS: list({
      fallback: [],
      separator: ',',
      sentence: 'Email domains that may register, with SVC_SIGNUP=domains.',
    }),
    SVC_REQUIRE_VERIFIED_EMAIL: bool({
      fallback: false,
      sentence: 'Whether people must prove their email address before they invite, share or publish.',
    }),
    DNS_SERVERS: list({
      fallback: [],
      separator: ',',
      fallbackText: "the machine's own",
      sentence: 'Name servers (address or address:port) that prove email domains.',
    }),
  },
  Database: {
    DATABASE_URL: url({
      fallback: undefined,
      fallbackText: 'an embedded PostgreSQL in the data folder',
      protocols: ['postgres:', 'postgresql:'],
      secret: true,
      sentence: 'Your own PostgreSQL (15 or later).',
    }),
    DATABASE_POOL_SIZE: integer({
      fallback: 16,
      min: 2,
      max: 500,
      sentence: 'Connections each process keeps to PostgreSQL.',
    }),
    REDIS_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: ['redis:', 'rediss:'],
      secret: true,
      sentence: 'A shared key-value store for rate limits and fan-out across several processes.',
    }),
  },
  Blobs: {
    S3_ENDPOINT: url({
      fallback: undefined,
      fallbackText: 'a folder in the data folder',
      protocols: ['http:', 'https:'],
      sentence: 'An S3-compatible store for files.',
    }),
    S3_BUCKET: text({ fallback: undefined, sentence: 'Its bucket.' }),
    S3_REGION: text({ fallback: 'us-east-1', sentence: 'Its region.' }),
    S3_ACCESS_KEY_ID: text({ fallback: undefined, secret: true, sentence: 'Its access key.' }),
    S3_SECRET_ACCESS_KEY: text({ fallback: undefined, secret: true, sentence: 'Its secret key.' }),
  },
  Mail: {
    SMTP_HOST: text({
      fallback: undefined,
      fallbackText: 'none: mail is kept in the outbox',
      sentence: 'The mail server. Without one, the platform owner reads mail in the console.',
    }),
    SMTP_PORT: integer({ fallback: 587, min: 1, max: 65_535, sentence: 'Its port.' }),
    SMTP_USER: text({ fallback: undefined, sentence: 'Its user.' }),
    SMTP_PASSWORD: text({ fallback: undefined, secret: true, sentence: 'Its password.' }),
    SMTP_SECURE: bool({
      fallback: false,
      sentence: 'true for TLS from the first byte (port 465); false upgrades with STARTTLS where offered.',
    }),
    SMTP_FROM: text({ fallback: 'Chancery <chancery@localhost>', sentence: 'The sender of every mail.' }),
  },
  'Secrets and login': {
    JWT_SECRET: secret({ minLength: 64, sentence: 'Signs login tokens (HS256).' }),
    JWT_EXPIRES_IN: duration({
      fallback: 28 * 86_400_000,
      fallbackText: '4w',
      sentence: 'How long a login lasts: a number with ms, s, m, h, d or w, or -1 for no end.',
    }),
    SVC_SECRET_KEY: secret({ minLength: 32, sentence: 'Encrypts stored credentials (AES-256-GCM).' }),
    SVC_SECRET_KEYS_PREVIOUS: list({
      fallback: [],
      separator: ',',
      secret: true,
      sentence: 'Former values of SVC_SECRET_KEY, still able to decrypt.',
    }),
    ADMIN_SETUP_KEY: secret({ minLength: 16, sentence: 'Allows the first platform admin to be made.' }),
    CUSTOM_API_KEY_HEADER: text({
      fallback: 'x-api-key',
      sentence: 'The header that carries an API key where a proxy uses Authorization for itself.',
    }),
    SVC_AUTH_COOKIE_SAME_SITE: choice(['lax', 'strict', 'none'], {
      fallback: 'lax',
      sentence: 'SameSite of the login cookie.',
    }),
    SVC_AUTH_COOKIE_SECURE: bool({
      fallback: true,
      sentence: 'Whether the login cookie travels over HTTPS only. Browsers make an exception for localhost.',
    }),
    SVC_SESSION_COOKIE_SAME_SITE: choice(['lax', 'strict', 'none'], {
      fallback: 'lax',
      sentence: 'SameSite of the cookie that remembers a begun OAuth login; strict keeps it from coming back.',
    }),
    SVC_SESSION_COOKIE_SECURE: bool({
      fallback: true,
      sentence: 'Whether that cookie travels over HTTPS only. Browsers make an exception for localhost.',
    }),
  },
  'Saved settings': {
    ENABLE_PERSISTENT_CONFIG: bool({
      fallback: true,
      sentence: 'Whether settings saved in the console win over the environment.',
    }),
    ENABLE_OAUTH_PERSISTENT_CONFIG: bool({
      fallback: false,
      sentence: 'Whether saved settings whose name starts with oauth. do so too.',
    }),
  },
  'OAuth login': {
    OAUTH_CLIENT_ID: text({ fallback: undefined, sentence: 'Our client at the OpenID Connect provider.' }),
    OAUTH_CLIENT_SECRET: text({
      fallback: undefined,
      secret: true,
      sentence: 'Its secret; a public client has none.',
    }),
    OPENID_PROVIDER_URL: url({
      fallback: undefined,
      protocols: web,
      sentence: 'The provider’s discovery address (…/.well-known/openid-configuration). Needed for OpenID Connect.',
    }),
    ENABLE_OAUTH_SIGNUP: bool({
      fallback: undefined,
      fallbackText: '`false`',
      sentence: 'Whether somebody without an account gets one by an OAuth login.',
    }),
    OAUTH_PROVIDER_NAME: text({
      fallback: undefined,
      fallbackText: '`SSO`',
      sentence: 'What the sign-in button calls the provider.',
    }),
    OAUTH_SCOPES: text({
      fallback: undefined,
      fallbackText: '`openid email profile`',
      sentence: 'What is asked of the provider.',
    }),
    OPENID_REDIRECT_URI: url({
      fallback: undefined,
      fallbackText: 'SVC_URL/oauth/oidc/callback',
      protocols: web,
      sentence: 'The redirect address registered at the provider.',
    }),
    OAUTH_AUTHORIZE_PARAMS: parameters({
      fallback: undefined,
      fallbackText: 'none',
      reserved: reservedAuthorizeParams,
      sentence: 'Extra parameters of the authorize address, such as `{"prompt":"login"}`.',
    }),
    OAUTH_SESSION_TOKEN_ENCRYPTION_KEY: secret({
      minLength: 32,
      fallbackText: 'SVC_SECRET_KEY',
      sentence: 'Encrypts the provider’s tokens at rest. After a change, people sign in at the provider again.',
    }),
    GOOGLE_CLIENT_ID: text({ fallback: undefined, sentence: 'Our client at Google.' }),
    GOOGLE_CLIENT_SECRET: text({ fallback: undefined, secret: true, sentence: 'Its secret.' }),
    GOOGLE_OAUTH_SCOPE: text({
      fallback: undefined,
      fallbackText: '`openid email profile`',
      sentence: 'What is asked of Google.',
    }),
    GOOGLE_REDIRECT_URI: url({
      fallback: undefined,
      fallbackText: 'SVC_URL/oauth/google/callback',
      protocols: web,
      sentence: 'The redirect address registered at Google.',
    }),
    MICROSOFT_CLIENT_ID: text({ fallback: undefined, sentence: 'Our client at Microsoft.' }),
    MICROSOFT_CLIENT_SECRET: text({ fallback: undefined, secret: true, sentence: 'Its secret.' }),
    MICROSOFT_CLIENT_TENANT_ID: matching(directoryId, {
      fallback: undefined,
      problem: 'must be the id of one directory, a UUID; names such as common would let everybody in',
      sentence: 'The id of the directory whose people may sign in.',
    }),
    MICROSOFT_OAUTH_SCOPE: text({
      fallback: undefined,
      fallbackText: '`openid email profile`',
      sentence: 'What is asked of Microsoft.',
    }),
    MICROSOFT_REDIRECT_URI: url({
      fallback: undefined,
      fallbackText: 'SVC_URL/oauth/microsoft/callback',
      protocols: web,
      sentence: 'The redirect address registered at Microsoft.',
    }),
  },
  'Company login': {
    IDP_ISSUER_URI: url({
      fallback: undefined,
      fallbackText: 'none: native login only',
      protocols: web,
      sentence: 'The identity provider; must equal the `iss` claim of its tokens exactly.',
    }),
    IDP_CLIENT_ID: text({ fallback: undefined, sentence: 'Our confidential client there.' }),
    IDP_CLIENT_SECRET: text({ fallback: undefined, secret: true, sentence: 'Its secret.' }),
    IDP_SSO_CALLBACK_URL: url({
      fallback: undefined,
      fallbackText: 'SVC_URL/sso/callback',
      protocols: web,
      sentence: 'The redirect URI registered there, ending in /sso/callback.',
    }),
    IDP_ALLOWED_CLIENT_IDS: list({
      fallback: [],
      fallbackText: 'IDP_CLIENT_ID alone',
      separator: ',',
      sentence: 'Client ids trusted to authenticate, checked against the `azp` of tokens.',
    }),
    IDP_SSO_COOKIE_SECURE: bool({
      fallback: true,
      sentence:
        'Whether the cookies of a begun company login travel over HTTPS only; false only for local development.',
    }),
    IDP_ADMIN_CLIENT_ID: text({
      fallback: undefined,
      fallbackText: 'none: people are not provisioned there',
      sentence: 'A service account of the provider that may manage users and nothing else.',
    }),
    IDP_ADMIN_CLIENT_SECRET: text({ fallback: undefined, secret: true, sentence: 'Its secret.' }),
    IDP_SYNC_INTERVAL_MS: integer({
      fallback: 300_000,
      min: 10_000,
      max: 86_400_000,
      sentence: 'How often changes of the provider’s directory are pulled, in milliseconds. Needs the service account.',
    }),
  },
  Directories: {
    LDAP_PROVISIONING_ENABLED: bool({
      fallback: false,
      sentence: 'Whether companies, their groups, departments and people are mirrored into a directory of yours.',
    }),
    LDAP_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: ['ldap:', 'ldaps:'],
      sentence: 'That directory: ldaps://host:port, or ldap://host:port, which is upgraded with StartTLS.',
    }),
    LDAP_BASE_DN: text({ fallback: undefined, sentence: 'Where in it ou=companies stands or is made.' }),
    LDAP_BIND_DN: text({ fallback: undefined, sentence: 'The account that writes there.' }),
    LDAP_BIND_PASSWORD: text({ fallback: undefined, secret: true, sentence: 'Its password.' }),
    LDAP_CA_FILE: text({
      fallback: undefined,
      fallbackText: 'the authorities that Node.js trusts',
      sentence: 'The authority of its certificate, as a PEM file.',
    }),
    LDAP_ALLOW_PLAINTEXT: bool({
      fallback: false,
      sentence: "Whether a directory, yours or a company's own, may be used without TLS. For tests on one machine.",
    }),
  },
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
  Speech: {
    HTTP_CLIENT_SESSION_SSL: bool({
      fallback: true,
      sentence: 'Whether the certificates of speech engines are checked.',
    }),
    AUDIO_STT_ENGINE: choice(['', 'compat', 'azure', 'deepgram', 'mistral'], {
      fallback: '',
      fallbackText: 'empty: the local engine',
      sentence: 'Which engine turns speech into text.',
    }),
    AUDIO_STT_MODEL: text({
      fallback: undefined,
      fallbackText: "the engine's usual one",
      sentence: 'The model of the engine that turns speech into text.',
    }),
    AUDIO_STT_COMPAT_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: web,
      sentence: 'Where the `compat` engine for speech to text is, with its version: https://host/v1.',
    }),
    AUDIO_STT_COMPAT_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    AUDIO_STT_MISTRAL_API_BASE_URL: url({
      fallback: 'https://api.mistral.ai/v1',
      protocols: web,
      sentence: 'Where the `mistral` engine for speech to text is.',
    }),
    AUDIO_STT_MISTRAL_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    DEEPGRAM_API_BASE_URL: url({
      fallback: 'https://api.deepgram.com/v1',
      protocols: web,
      sentence: 'Where the `deepgram` engine is.',
    }),
    DEEPGRAM_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    AUDIO_STT_AZURE_REGION: text({
      fallback: undefined,
      sentence: 'The region of the `azure` speech-to-text resource.',
    }),
    AUDIO_STT_AZURE_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'made from the region',
      protocols: web,
      sentence: 'Its address, where it is not the usual one of the region.',
    }),
    AUDIO_STT_AZURE_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    AUDIO_STT_AZURE_LOCALES: list({
      fallback: ['en-US'],
      separator: ',',
      sentence: 'The locales it listens for, where a request names no language.',
    }),
    LOCALSTT_MODEL: choice(['tiny', 'base', 'small', 'medium', 'large'], {
      fallback: 'base',
      sentence: 'The size of the local speech-to-text model.',
    }),
    LOCALSTT_COMPUTE_TYPE: choice(['int8', 'float16', 'int8_float16', 'float32'], {
      fallback: 'int8',
      sentence: 'The number format in which it computes.',
    }),
    LOCALSTT_LANGUAGE: matching(/^([a-z]{2})?$/, {
      fallback: undefined,
      fallbackText: 'empty: detected',
      problem: 'must be an ISO 639-1 code such as de, or empty',
      sentence: 'The language that is spoken.',
    }),
    LOCALSTT_VAD_FILTER: bool({ fallback: false, sentence: 'Whether the local engine leaves out silence.' }),
    AUDIO_TTS_ENGINE: choice(['', 'compat', 'mistral', 'elevenlabs', 'azure', 'transformers'], {
      fallback: '',
      fallbackText: 'empty: only the browser speaks',
      sentence: 'Which engine turns text into speech.',
    }),
    AUDIO_TTS_MODEL: text({ fallback: 'tts-1', sentence: 'The model of the engine that turns text into speech.' }),
    AUDIO_TTS_VOICE: text({ fallback: 'alloy', sentence: 'The voice that it speaks with.' }),
    AUDIO_TTS_API_KEY: text({
      fallback: undefined,
      secret: true,
      sentence: 'The key of the `elevenlabs` and `azure` text-to-speech engines.',
    }),
    AUDIO_TTS_COMPAT_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: web,
      sentence: 'Where the `compat` engine for text to speech is, with its version: https://host/v1.',
    }),
    AUDIO_TTS_COMPAT_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    AUDIO_TTS_MISTRAL_API_BASE_URL: url({
      fallback: 'https://api.mistral.ai/v1',
      protocols: web,
      sentence: 'Where the `mistral` engine for text to speech is.',
    }),
    AUDIO_TTS_MISTRAL_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    AUDIO_TTS_ELEVENLABS_BASE_URL: url({
      fallback: 'https://api.elevenlabs.io/v1',
      protocols: web,
      sentence: 'Where the `elevenlabs` engine is.',
    }),
    AUDIO_TTS_AZURE_REGION: text({
      fallback: undefined,
      sentence: 'The region of the `azure` text-to-speech resource.',
    }),
    AUDIO_TTS_AZURE_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'made from the region',
      protocols: web,
      sentence: 'Its address, where it is not the usual one of the region.',
    }),
    AUDIO_TTS_AZURE_OUTPUT_FORMAT: text({
      fallback: 'audio-24khz-160kbitrate-mono-mp3',
      sentence: 'The format in which it answers.',
    }),
  },
  Metrics: {
    METRICS_TOKEN: text({
      fallback: undefined,
      fallbackText: 'none: only the platform owner',
      secret: true,
      sentence: 'The bearer token with which /metrics may be scraped, besides the platform owner.',
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
  Files: {
    FILE_MAX_SIZE_MB: integer({
      fallback: 100,
      min: 1,
      max: 10_000,
      sentence: 'The largest file that can be uploaded, in mebibytes.',
    }),
    RAG_EMBEDDING_ENGINE: choice(['local', 'upstream', 'compat', 'none'], {
      fallback: 'local',
      sentence: 'What makes vectors for semantic search; with none, full-text search serves alone.',
    }),
    RAG_EMBEDDING_MODEL: text({
      fallback: undefined,
      fallbackText: 'all-MiniLM-L6-v2 for local',
      sentence: 'The embedding model of the engine.',
    }),
    RAG_EMBEDDING_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'UPSTREAM_BASE_URL or COMPAT_API_BASE_URL',
      protocols: web,
      sentence: 'Where the upstream or compat engine is.',
    }),
    RAG_EMBEDDING_API_KEY: text({
      fallback: undefined,
      fallbackText: 'COMPAT_API_KEY',
      secret: true,
      sentence: 'Its key.',
    }),
    RAG_RERANKING_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none: passages stay in the order of the search',
      protocols: web,
      sentence: 'A server with `/rerank` that puts passages into a better order.',
    }),
    RAG_RERANKING_MODEL: text({ fallback: undefined, sentence: 'Its model.' }),
    RAG_RERANKING_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    RAG_CHUNK_SIZE: integer({
      fallback: 1000,
      min: 200,
      max: 10_000,
      sentence: 'How long a chunk of text is, in characters.',
    }),
    RAG_CHUNK_OVERLAP: integer({
      fallback: 100,
      min: 0,
      max: 2000,
      sentence: 'How many characters neighbouring chunks share.',
    }),
    IMAGES_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none: models make no images',
      protocols: web,
      sentence: 'The compatible server that makes images for `features.image_generation`.',
    }),
    IMAGES_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    IMAGES_MODEL: text({ fallback: undefined, fallbackText: "the server's own", sentence: 'Its model.' }),
    IMAGES_SIZE: text({
      fallback: undefined,
      fallbackText: "the model's own",
      sentence: 'The size of images, such as 1024x1024.',
    }),
    WEB_SEARCH_ENGINE: choice(['none', 'searxng', 'brave', 'tavily', 'json'], {
      fallback: 'none',
      sentence: 'What searches the web for models; json is any server that speaks the protocol in docs/knowledge.md.',
    }),
    WEB_SEARCH_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'the usual address of Brave or Tavily',
      protocols: web,
      sentence: 'Where the search engine is.',
    }),
    WEB_SEARCH_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    WEB_SEARCH_RESULTS: integer({
      fallback: 5,
      min: 1,
      max: 20,
      sentence: 'How many results of a search a model gets.',
    }),
    WEB_SEARCH_PAGES: integer({
      fallback: 3,
      min: 0,
      max: 10,
      sentence: 'How many of the first results of a search are read in full.',
    }),
  },
  Signing: {
    SIGNING_P12_PATH: text({
      fallback: undefined,
      fallbackText: 'none: a self-made certificate, and the interface says so',
      sentence: 'A P12 file with the key and certificate that seal documents. Checked when the service starts.',
    }),
    SIGNING_P12_PASSWORD: text({ fallback: undefined, secret: true, sentence: 'The password of the P12 file.' }),
    SIGNING_PEM_PATH: text({
      fallback: undefined,
      sentence:
        'The same as a PEM file: the private key, the certificate, then its chain. Instead of SIGNING_P12_PATH.',
    }),
    SIGNING_OFFICE_PATH: text({
      fallback: undefined,
      fallbackText: '`soffice`, if it is installed',
      sentence:
        'LibreOffice, which turns Word and OpenDocument files into PDFs. Without it they are refused with a sentence.',
    }),
    SIGNING_TSA_URL: url({
      fallback: undefined,
      fallbackText: 'none: seals carry no time-stamp',
      protocols: web,
      sentence: 'A time-stamp authority (RFC 3161). While it does not answer, documents wait to be sealed.',
    }),
    SIGNING_TSA_CA_PATH: text({
      fallback: undefined,
      fallbackText: 'none: the roots of the system',
      sentence:
        "A PEM file with the roots of time-stamp authorities that are trusted besides the system's. For a private authority.",
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
