/** The message comes from a template, so it may be text or a JSON value. */

export type ReadMessage = { kind: 'prose'; paragraphs: string[] } | { kind: 'value'; value: object }

export function readMessage(text: string): ReadMessage {
  const value = asValue(text.trim())
  if (value !== undefined) return { kind: 'value', value }
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
  return { kind: 'prose', paragraphs }
}

function asValue(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
