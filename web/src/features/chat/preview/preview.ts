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

const center =
  '<style>body{margin:0;min-height:100vh;display:grid;place-items:center}svg{max-width:100%;height:auto}</style>'

export const pageOf = ({ kind, code }: Preview): string => (kind === 'svg' ? center + code : code)
