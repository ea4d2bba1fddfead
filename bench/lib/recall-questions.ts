/** Questions in other words than the passages that answer them, each with the file and the heading of its answer. */

const hooks = 'fastify/docs/Reference/Hooks.md'
const logging = 'fastify/docs/Reference/Logging.md'
const support = 'fastify/docs/Reference/LTS.md'
const parsers = 'fastify/docs/Reference/ContentTypeParser.md'
const decorators = 'fastify/docs/Reference/Decorators.md'
const plugins = 'fastify/docs/Reference/Plugins.md'
const testing = 'fastify/docs/Guides/Testing.md'
const database = 'fastify/docs/Guides/Database.md'
const ws = 'ws/README.md'
const mailer = 'nodemailer/README.md'
const redis = 'ioredis/README.md'
const semver = 'semver/README.md'

const table: [file: string, heading: string, query: string][] = [
  [hooks, 'onSend', 'change what goes out to the client at the last moment'],
  [hooks, 'onResponse', 'collect statistics after an answer has been delivered'],
  [hooks, 'onRequestAbort', 'what happens when the client disconnects before everything arrived'],
  [hooks, 'onTimeout', 'notice that a socket took too long and was dropped'],
  [hooks, 'onRoute', 'run code whenever a new endpoint is declared'],
  [hooks, 'preParsing', 'replace the stream of incoming bytes before it is decoded'],
  [hooks, 'preSerialization', 'alter the object before it becomes JSON'],
  [hooks, 'onClose', 'clean up database connections when the process shuts down'],
  [hooks, 'onListen', 'code that executes once the program accepts connections'],
  [logging, 'Log Redaction', 'hide passwords and tokens in the output'],
  [logging, 'Request ID Tracking', 'tell which entries belong to one call'],
  [logging, 'Using Custom Loggers', 'bring my own implementation instead of pino'],
  [logging, 'Environment-Specific Configuration', 'readable output while developing, another in production'],
  [support, 'Long Term Support', 'for how many months do older major releases get fixes'],
  [support, 'Security Support Beyond LTS', 'commercial help for versions that nobody maintains any more'],
  [support, 'CI Tested Operating Systems', 'on which platforms is it verified automatically'],
  [parsers, 'Catch-All', 'accept any kind of body, whatever the sender declares'],
  [parsers, 'removeContentTypeParser', 'take away the built-in handling of a media type'],
  [decorators, 'decorateRequest', 'attach a helper to each incoming message object'],
  [decorators, 'hasDecorator', 'find out whether a custom property was added already'],
  [plugins, 'Route Prefixing option', 'offer the same endpoints as version one and version two'],
  [plugins, 'Handle the scope', 'make my extension visible to its parent'],
  [testing, 'Testing with HTTP injection', 'simulate calls without opening a port'],
  [testing, 'How to inspect node tests', 'step through a check with a debugger'],
  [database, 'Migrations', 'evolve the schema of the tables over time'],
  [ws, 'Server broadcast', 'send a message to everyone who is connected'],
  [ws, 'Round-trip time', 'measure the latency between both ends'],
  [ws, 'How to detect and close broken connections', 'the other side vanished without saying goodbye'],
  [ws, 'How to get the IP address of the client', 'find out who is calling when nginx is in front'],
  [ws, 'WebSocket compression', 'shrink the frames to save bandwidth'],
  [ws, 'Client authentication', 'refuse people without a valid login while upgrading'],
  [ws, 'Opt-in for performance', 'make it faster with native add-ons'],
  [mailer, 'issues with Gmail', 'google refuses to deliver my letters'],
  [mailer, 'ETIMEDOUT', 'connecting hangs and then gives up, is it the firewall'],
  [mailer, 'TLS errors', 'certificate problems while sending'],
  [redis, 'Pipelining', 'send many commands together to reduce waiting for the network'],
  [redis, 'Transaction', 'several operations that succeed or fail together'],
  [redis, 'Expiration', 'remove a value by itself after an hour'],
  [redis, 'Auto-reconnect', 'the link to the server breaks, does it come back'],
  [redis, 'Offline Queue', 'commands that are issued before the link is up'],
  [redis, 'Streamify Scanning', 'walk over all keys without blocking'],
  [redis, 'Transparent Key Prefixing', 'put the same text in front of every name'],
  [redis, 'Monitor', 'see every command that the server handles, for debugging'],
  [redis, 'Sentinel', 'high availability with automatic failover of the master'],
  [redis, 'Read-Write Splitting', 'let replicas answer queries'],
  [redis, 'Handle Binary Data', 'store pictures rather than strings'],
  [redis, 'Lua Scripting', 'define my own command that runs on the server'],
  [semver, 'Tilde Ranges', 'allow bug fixes only'],
  [semver, 'Caret Ranges', 'accept everything that does not break compatibility'],
  [semver, 'Prerelease Tags', 'alpha and beta builds'],
  [semver, 'Coercion', 'turn sloppy text into a proper number'],
  [semver, 'Hyphen Ranges', 'everything between two numbers, both included'],
  [semver, 'Sorting', 'put a list of releases in order'],
]

export const paraphrases = table.map(([file, heading, query]) => ({ file, heading, query }))
