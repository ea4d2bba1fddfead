/** Code in a reply that can be shown: HTML and SVG. Pure. */

export interface Preview {
  kind: 'html' | 'svg'
  code: string
}

export function previewOf(code: string, language: string): Preview | undefined {
  const name = language.toLowerCase()
  if (name === 'html' || name === 'htm') return { kind: 'html', code }
  const isSvg = /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<svg[\s>]/i.test(code)
  return (name === 'svg' || name === 'xml') && isSvg ? { kind: 'svg', code } : undefined
}

/**
 * Nothing is fetched or sent: a model's page could tell another server what is in the conversation. The policy comes
 * first in the document, so nothing in it can run before or without it.
 */
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:"

const center =
  '<style>body{margin:0;min-height:100vh;display:grid;place-items:center}svg{max-width:100%;height:auto}</style>'

export const pageOf = ({ kind, code }: Preview): string =>
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><meta charset="utf-8">${kind === 'svg' ? center : ''}${code}`
