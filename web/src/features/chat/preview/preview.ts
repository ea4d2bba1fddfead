/** Code in a reply that can be shown: HTML and SVG. Pure. */

export interface Preview {
  kind: 'html' | 'svg'
  code: string
}

export function previewOf(code: string, language: string): Preview | undefined {
  const name = language.toLowerCase()
  if (name === 'html' || name === 'htm') return { kind: 'html', code }
  return (name === 'svg' || name === 'xml') && isSvg(code) ? { kind: 'svg', code } : undefined
}

/** Comments before it are skipped one by one. A pattern would take any time for thousands of them. */
function isSvg(code: string): boolean {
  let rest = code
    .trimStart()
    .replace(/^<\?xml[^>]*>/i, '')
    .trimStart()
  for (let comments = 0; rest.startsWith('<!--') && comments < maxComments; comments += 1) {
    const end = rest.indexOf('-->', 4)
    if (end < 0) return false
    rest = rest.slice(end + 3).trimStart()
  }
  return /^<svg[\s>]/i.test(rest)
}

const maxComments = 20

const center =
  '<style>body{margin:0;min-height:100vh;display:grid;place-items:center}svg{max-width:100%;height:auto}</style>'

export const pageOf = ({ kind, code }: Preview): string => (kind === 'svg' ? center + code : code)
