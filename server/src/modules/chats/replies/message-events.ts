/**
 * The events of the UI channel: their data, and what each does to the stored message. Pure.
 *
 * The REST endpoint accepts only what the contract's rule 5 names, and never questions to the browser. `embeds` is stored
 * under its short name only, and `replace` has no effect on the long one.
 */
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'

export type Effect =
  | { kind: 'append-content'; text: string }
  | { kind: 'replace-content'; text: string }
  | { kind: 'append'; field: string; items: unknown[] }
  | { kind: 'set'; field: string; value: unknown }
  | { kind: 'put-run'; id: string; run: unknown }
  | { kind: 'title'; title: string }
  | { kind: 'tags'; tags: unknown[] }
  /** Sent to the tabs, not stored. */
  | { kind: 'none' }

export interface MessageEvent {
  type: string
  data: unknown
}

interface Kind {
  isOpen: boolean
  read(data: unknown): { effect: Effect; data: unknown }
}

const maxTextLength = 1_000_000
const maxItemsPerEvent = 100

/** `isOpen`: allowed through the REST endpoint. `shown` is what the tabs get, where it differs from what was sent. */
const kind = <Schema extends z.ZodType>(
  schema: Schema,
  effectOf: (data: z.output<Schema>) => Effect,
  { isOpen = true, shown = (data: z.output<Schema>): unknown => data } = {},
): Kind => ({
  isOpen,
  read: (sent) => {
    const { success, data, error } = schema.safeParse(sent)
    if (success) return { effect: effectOf(data), data: shown(data) }
    const problems = error.issues.map(({ path, message, code }) => ({
      loc: ['body', 'data', ...path.map(String)],
      msg: message,
      type: code,
    }))
    throw new AppError('validation_failed', { problems })
  },
})

const none = (): Effect => ({ kind: 'none' })
const text = z.string().max(maxTextLength)
const Content = z.looseObject({ content: text })
const append = kind(Content, ({ content }) => ({ kind: 'append-content', text: content }))
const replace = kind(Content, ({ content }) => ({ kind: 'replace-content', text: content }))
const files = kind(z.looseObject({ files: z.array(z.unknown()).max(maxItemsPerEvent) }), (data) => ({
  kind: 'append',
  field: 'files',
  items: data.files,
}))
const Embeds = z.looseObject({ embeds: z.array(text).max(maxItemsPerEvent), replace: z.boolean().optional() })
const Source = z.union([
  z.looseObject({ type: z.literal('code_execution'), id: z.string().min(1).max(200) }),
  z.looseObject({ type: z.string().max(60).optional() }).refine(({ type }) => type !== 'code_execution', 'needs an id'),
])
const source = kind(Source, (data) =>
  data.type === 'code_execution'
    ? { kind: 'put-run', id: String(data.id), run: data }
    : { kind: 'append', field: 'sources', items: [data] },
)
const inside = { isOpen: false }

/** The parts of `chat:completion` that change the message; anything else in it is a matter between plugin and browser. */
const Completion = z.looseObject({
  content: text.optional(),
  choices: z.array(z.looseObject({ delta: z.looseObject({ content: text.nullish() }).optional() })).optional(),
  sources: z.array(z.unknown()).max(maxItemsPerEvent).optional(),
})

/** The whole text, the next chunk, or sources, in this order: the web app reads it the same way. */
const completionEffect = (sent: unknown): Effect => {
  const { content, choices, sources } = Completion.safeParse(sent).data ?? {}
  if (content !== undefined) return { kind: 'replace-content', text: content }
  const added = choices?.map(({ delta }) => delta?.content ?? '').join('')
  if (added) return { kind: 'append-content', text: added }
  return sources ? { kind: 'append', field: 'sources', items: sources } : none()
}

/** Only the server numbers the frames of a reply: a number of a plugin's would end or stall the reader's own count. */
const withoutNumber = (sent: unknown): unknown => {
  if (typeof sent !== 'object' || sent === null || !('seq' in sent)) return sent
  const { seq: _, ...data } = sent
  return data
}

const kinds = new Map<string, Kind>([
  [
    'status',
    kind(
      z.looseObject({
        description: z.string().max(10_000).optional(),
        done: z.boolean().optional(),
        hidden: z.boolean().optional(),
      }),
      (data) => ({ kind: 'append', field: 'statusHistory', items: [data] }),
    ),
  ],
  ['message', append],
  ['chat:message:delta', append],
  ['replace', replace],
  ['chat:message', replace],
  ['files', files],
  ['chat:message:files', files],
  [
    'embeds',
    kind(Embeds, (data) =>
      data.replace
        ? { kind: 'set', field: 'embeds', value: data.embeds }
        : { kind: 'append', field: 'embeds', items: data.embeds },
    ),
  ],
  ['chat:message:embeds', kind(Embeds, none, { shown: ({ replace: _, ...data }) => data })],
  ['source', source],
  ['citation', source],
  [
    'notification',
    kind(
      z.looseObject({ type: z.enum(['info', 'success', 'warning', 'error']), content: z.string().max(10_000) }),
      none,
    ),
  ],
  [
    'chat:title',
    kind(
      z
        .union([z.string(), z.looseObject({ title: z.string() }).transform(({ title }) => title)])
        .pipe(z.string().min(1)),
      (title) => ({ kind: 'title', title }),
      inside,
    ),
  ],
  [
    'chat:tags',
    kind(
      z.union([z.array(z.unknown()), z.looseObject({ tags: z.array(z.unknown()) }).transform(({ tags }) => tags)]),
      (tags) => ({ kind: 'tags', tags }),
      inside,
    ),
  ],
  [
    'chat:message:favorite',
    kind(
      z.looseObject({ favorite: z.boolean() }),
      ({ favorite }) => ({ kind: 'set', field: 'favorite', value: favorite }),
      inside,
    ),
  ],
  ['chat:completion', kind(z.unknown(), completionEffect, { isOpen: false, shown: withoutNumber })],
  ['execute', kind(z.looseObject({ code: text }), none, inside)],
])

/** The text that an event adds to the message; undefined for other events, and for ones that can't be read. */
export const addedText = (event: MessageEvent): string | undefined => {
  try {
    const { effect } = readEvent(event, { isOutside: false })
    return effect.kind === 'append-content' ? effect.text : undefined
  } catch {
    return undefined
  }
}

/** The changes that an event makes, and the event for the tabs. Throws `event_not_allowed` and `validation_failed`. */
export const readEvent = (
  { type, data }: MessageEvent,
  from: { isOutside: boolean },
): { effect: Effect; event: MessageEvent } => {
  const known = kinds.get(type)
  if (!known || (from.isOutside && !known.isOpen)) throw new AppError('event_not_allowed')
  const read = known.read(data)
  return { effect: read.effect, event: { type, data: read.data } }
}
