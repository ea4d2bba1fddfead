/** A reply as it is read aloud: without marks, code and citations, in parts of a few sentences. Pure. */

export function speakableText(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .replace(/\$\$[\s\S]*?\$\$|\\\[[\s\S]*?\\\]/g, ' ')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\[\d+\]/g, '')
    .replace(/^\s*(?:#{1,6}|[-*+>]|\d+\.|\|)\s*/gm, '')
    .replace(/[*_`~|]+/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/ +([.,;:!?])/g, '$1')
    .replace(/\s*\n\s*/g, '\n')
    .trim()
}

const partLength = 300

/** The first part is short, so that speech starts soon. */
export function speechParts(text: string): string[] {
  const sentences = text.match(/[^.!?…\n]+[.!?…]*\s*|\n+/g) ?? []
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
