/**
 * title: Mask personal data
 * description: Replaces email addresses, phone numbers and card numbers before the model sees them, and puts them back into its reply.
 */
import type { Body, Chunk, Helpers, Message } from '@chancery/plugin'

/** From placeholder to what it stands for, and back. */
interface Masks {
  shown: Map<string, string>
  hidden: Map<string, string>
  /** The end of the last chunk, where it may be the beginning of a placeholder. */
  rest: string
}

const kinds: [string, RegExp][] = [
  ['EMAIL', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
  ['CARD', /\b(?:\d[ -]?){13,19}\b/g],
  ['PHONE', /\+\d[\d ()-]{7,18}\d/g],
]
const placeholder = /\[(?:EMAIL|CARD|PHONE)_\d+\]/g
const unfinished = /\[[A-Z]{0,5}_?\d{0,4}$/

export class Filter {
  /** A reply with placeholders, or none, is better than one with what was masked. */
  mustHold = true
  static Valves = { priority: { type: 'integer', default: -10, title: 'Priority', description: 'Lower runs first.' } }
  /** By chat. They live in memory, so after a restart old placeholders stay as they are. */
  chats = new Map<string, Masks>()

  inlet(body: Body, helpers: Helpers): Body {
    const masks = this.masksOf(helpers)
    masks.rest = ''
    body.messages = body.messages.map((message) => changeText(message, (text) => mask(masks, text)))
    return body
  }

  stream(chunk: Chunk, helpers: Helpers): Chunk {
    const masks = this.masksOf(helpers)
    const choice = chunk.choices?.[0]
    if (!choice) return chunk
    const text = masks.rest + (choice.delta?.content ?? '')
    const cut = choice.finish_reason ? -1 : text.search(unfinished)
    masks.rest = cut < 0 ? '' : text.slice(cut)
    const shown = cut < 0 ? text : text.slice(0, cut)
    if (choice.delta?.content || shown !== '') choice.delta = { ...choice.delta, content: unmask(masks, shown) }
    return chunk
  }

  outlet(body: Body, helpers: Helpers): Body {
    const masks = this.masksOf(helpers)
    body.messages = body.messages.map((message) => changeText(message, (text) => unmask(masks, text)))
    return body
  }

  private masksOf({ __chat_id__, __user__ }: Helpers): Masks {
    const key = __chat_id__ ?? `user ${__user__.id}`
    const known = this.chats.get(key) ?? { shown: new Map(), hidden: new Map(), rest: '' }
    // The chats used last are kept.
    this.chats.delete(key)
    this.chats.set(key, known)
    const [oldest] = this.chats.keys()
    if (this.chats.size > 1000 && oldest !== undefined) this.chats.delete(oldest)
    return known
  }
}

const mask = (masks: Masks, text: string): string => {
  let masked = text
  for (const [kind, pattern] of kinds)
    masked = masked.replace(pattern, (found) => {
      const known = masks.hidden.get(found)
      if (known) return known
      const name = `[${kind}_${masks.hidden.size + 1}]`
      masks.hidden.set(found, name)
      masks.shown.set(name, found)
      return name
    })
  return masked
}

const unmask = (masks: Masks, text: string): string =>
  text.replace(placeholder, (name) => masks.shown.get(name) ?? name)

const changeText = (message: Message, change: (text: string) => string): Message => {
  const { content } = message
  if (typeof content === 'string') return { ...message, content: change(content) }
  if (!Array.isArray(content)) return message
  return {
    ...message,
    content: content.map((part) => (part.text === undefined ? part : { ...part, text: change(part.text) })),
  }
}
