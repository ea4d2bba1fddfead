/**
 * A reply as it is read aloud: without marks, code and citations, in parts of a few sentences. A reply that is still being
 * written is read as far as its sentences are complete.
 */

export function speakableText(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .replace(/\$\$[\s\S]{0,2000}?\$\$|\\\[[\s\S]{0,2000}?\\\]/g, ' ')
    .replace(/!\[[^\]]{0,500}\]\([^)]{0,2000}\)/g, ' ')
    .replace(/\[([^\]]{1,500})\]\([^)]{0,2000}\)/g, '$1')
    .replace(/\[\d+\]/g, '')
    .replace(/^[ \t]*(?:#{1,6}|[-*+>]|\d+\.|\|)\s*/gm, '')
    .replace(/[*_`~|]+/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .trim()
}

const partLength = 300

/** The first part is short, so that speech starts soon. */
export function speechParts(text: string): string[] {
  const sentences =
    text.match(/[^\n]{0,2000}?(?:[.!?…]{1,20}["'”’)\]]{0,20}(?=\s|$)|[。！？।｡]+["'”’」』）)\]]*)\s*|[^\n]+\n*|\n+/g) ??
    []
  const parts: string[] = []
  let current = ''
  for (const sentence of sentences) {
    if (current !== '' && (parts.length === 0 || current.length + sentence.length > partLength)) {
      parts.push(current.trim())
      current = ''
    }
    current += sentence
  }
  return [...parts, current.trim()].filter((part) => part !== '')
}

/** Code and formulas are read as a whole, or not at all. */
const blockMark = /```|\$\$|\\[[\]]/g
/** In Chinese, Japanese and Hindi no space has to follow. */
const sentenceEnd = /[.!?…]["'”’)\]*_]*(?=\s)|[。！？।｡]["'”’」』）)\]*_]*|\n/g

/** The end of the last complete sentence after `from`; `from` if there is none. Pure. */
export function completeEnd(markdown: string, from: number): number {
  const rest = markdown.slice(from)
  const marks = [...rest.matchAll(blockMark)]
  const open = marks.length % 2 === 1 ? marks.at(-1)?.index : undefined
  const end = [...rest.slice(0, open).matchAll(sentenceEnd)].at(-1)
  return end ? from + end.index + end[0].length : from
}

export interface GrowingText {
  /** The whole text so far. */
  update: (markdown: string, isComplete: boolean) => void
  /** Nothing more comes: it ends with what it has. */
  end: () => void
  /** Waits for the next part; undefined at the end, and when it is aborted. */
  next: (signal: AbortSignal) => Promise<string | undefined>
}

export function createGrowingText(): GrowingText {
  let text = { markdown: '', isComplete: false }
  let from = 0
  let parts: string[] = []
  let wake = () => {}
  return {
    update: (markdown, isComplete) => {
      text = { markdown, isComplete }
      wake()
    },
    end: () => {
      text = { ...text, isComplete: true }
      wake()
    },
    next: async (signal) => {
      while (!signal.aborted) {
        const part = parts.shift()
        if (part !== undefined) return part
        const { markdown, isComplete } = text
        const end = isComplete ? markdown.length : completeEnd(markdown, from)
        if (end > from) {
          parts = speechParts(speakableText(markdown.slice(from, end)))
          from = end
          continue
        }
        if (isComplete) return undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      }
      return undefined
    },
  }
}
