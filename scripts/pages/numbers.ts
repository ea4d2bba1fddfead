/**
 * Numbers that pages state and the code decides. `npm run docs` finds each sentence, whatever number it holds, and writes
 * the number of the code: `{file constant / divisor}`.
 */
import { filesNamed } from './source-files.ts'

const MiB = 1024 * 1024
const units: Record<string, number> = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000, kB: 1024, MB: MiB, m: 60 }

const sentences: Record<string, string[]> = {
  'docs/speech.md': [
    'A recording of more than {split-recording.ts maxSeconds / m} minutes or {split-recording.ts maxBytes / MB} MB is cut at pauses',
    'recordings in other formats can have at most {split-recording.ts maxWholeBytes / MB} MB',
    '`POST …/audio/transcriptions` takes at most {routes.ts maxRecordingBytes / MB} MB',
    'A recording becomes at most {split-recording.ts maxPieces} pieces',
  ],
  'audio/README.md': [
    'A recording of more than {split-recording.ts maxSeconds / m} minutes or {split-recording.ts maxBytes / MB} MB is cut',
    'at most {split-recording.ts maxPieces}: the times',
    'Unused audio is deleted after {sweep.ts keptMs / d} days',
  ],
  'docs/knowledge.md': [
    'of at most {read-image.ts maxBytes= / MB} MB, {resolve-images.ts maxImages} in one conversation',
    'a side of more than {read-image.ts maxEdge} pixels or more than {read-image.ts maxBytes: / MB} MB',
    'takes more than {reranker.ts totalMs / s} seconds, the order',
  ],
  'docs/plugins.md': [
    '| memory | {runtime/index.ts memoryMb=} MiB for each plugin |',
    '| processor time | {runtime/index.ts entryCpuMs= / s} s each time',
    'filters {filters.ts wallMs / min} min, tools {plugin-tools.ts workMs / min} min, actions {run-action.ts workMs / min} min (beside the time a person takes to answer), pipes {pipes.ts wallMs / min} min',
  ],
  'docs/signing.md': [
    '(up to {signing/documents.ts maxFiles}, 100 MB each)',
    'From {seal-keys.ts warnFromDays} days before it expires',
  ],
  'docs/OPERATIONS.md': [
    'Delivery is tried up to {deliver.ts maxAttempts} times',
    'after {probe.ts patienceMs} ms they use its last good answer, for up to {probe.ts hangingMs / s} seconds. Redis gets {limits.ts timeoutMs} ms',
    'one that sends nothing for {deep-check.ts timeLimitMs / s} seconds',
    'imports of {import-chats.ts maxImportBytes / MB} MB',
    'From {seal-keys.ts warnFromDays} days before, each seal',
  ],
  'mail/README.md': [
    'up to {deliver.ts maxAttempts} attempts with growing pauses',
    'A claim lasts {deliver.ts claimMs / s} seconds',
  ],
  'expression/README.md': [
    '{budget.ts maxSteps} steps, texts of {budget.ts maxTextUnits} characters, {budget.ts maxElements} elements and ints of {numbers.ts maxBits} bits',
  ],
  'chats/README.md': [
    'A chat holds {history.ts maxMessages} messages and {history.ts maxBytes / 1000000} MB',
    'merge returns the whole chat up to {merge-chat.ts maxAnswered} messages',
    'more than {message-images.ts maxImages} in one request',
    'carry up to {inline-images.ts maxBytes / MB} MB',
    'An import streams up to {import-chats.ts maxImportBytes / MB} MB',
  ],
  'ldap/README.md': [
    'at most {groups.ts maxFollowed} and ten levels',
    'Names are cut to {entry-name.ts maxBytes} bytes',
  ],
  'memory/README.md': [
    'At most {memory-feature.ts budget} characters go into a request',
    'At most {remember.ts maxFacts} facts per person',
  ],
  'messages-format/README.md': [
    '{count-tokens.ts perImage} per image, {count-tokens.ts perMessage} per message, {count-tokens.ts perTool} per tool',
  ],
  'tool-servers/README.md': [
    'An MCP server may send {reply-limits.ts mostMessages} messages, {reply-limits.ts mostBytes / MB} MiB and {reply-limits.ts mostRequests} replies over one connection',
  ],
  'webhooks/README.md': ['kept for {webhooks/index.ts retentionMs / d} days'],
}

/** Documents write 1,000 and 2.5. */
const write = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 })

const product = (factors: string): number =>
  factors.split('*').reduce((value, factor) => value * Number(factor.replaceAll('_', '')), 1)

/** `name` is a constant, a default or a property; `name:` is only a property, `name=` is not. */
const numberIn = (file: string, name: string): number => {
  const bare = name.replace(/[:=]$/, '')
  const sign = name === bare ? '(?: =|:)' : name.endsWith(':') ? ':' : ' ='
  const stated = new RegExp(`\\b${bare}${sign} ([\\d_.]+(?: \\* [\\d_.]+)*)`, 'g')
  const found = filesNamed(file).flatMap(({ text }) => [...text.matchAll(stated)].map(([, factors = '']) => factors))
  const [value, ...others] = new Set(found.map(product))
  if (value === undefined) throw new Error(`A page states ${name} of ${file}, which is no longer a number there.`)
  if (others.length > 0) throw new Error(`A page states ${name} of ${file}, which stands for several numbers there.`)
  return value
}

const placeholder = /\{(\S+) ([\w:=]+)(?: \/ (\w+))?\}/g

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const fill = (page: string, sentence: string): string => {
  const withAnyNumbers = new RegExp(
    sentence
      .split(/\{[^}]*\}/)
      .map(escaped)
      .join('[\\d,.]+'),
    'g',
  )
  const stated = sentence.replace(placeholder, (_all, file: string, constant: string, unit = '1') =>
    write(numberIn(file, constant) / (units[unit] ?? Number(unit))),
  )
  if (page.search(withAnyNumbers) === -1) throw new Error(`The page no longer says: ${stated}`)
  return page.replace(withAnyNumbers, () => stated)
}

/** Pages are named by how their paths end: folders move. */
const isAt = (path: string, end: string): boolean => path === end || path.endsWith(`/${end}`)

export const statesNumbers = (path: string): boolean => Object.keys(sentences).some((end) => isAt(path, end))

export const fillNumbers = (path: string, page: string): string =>
  Object.entries(sentences)
    .filter(([end]) => isAt(path, end))
    .flatMap(([, stated]) => stated)
    .reduce(fill, page)
