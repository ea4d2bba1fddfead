/** The elements of a reply: plain ones styled by markdown.css, and those that need special care. */
import { ExternalLink, ImageIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { isValidElement } from 'react'
import { type Components, useIsCodeFenceIncomplete } from 'streamdown'
import { safeLink } from '../history/parts.ts'
import { reachable } from '../reachable.ts'
import { CodeBlock } from './code-block.tsx'
import { Diagram } from './diagram.tsx'

function Link({ href, children }: ComponentProps<'a'>) {
  const isMail = typeof href === 'string' && /^mailto:[^?]+$/i.test(href)
  const url = isMail ? href : safeLink(href)
  if (url === undefined) return <span>{children}</span>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

/**
 * Embedded images are shown; remote ones are only linked. Loading them would tell the host who reads what, and a reply
 * could leak the conversation in such a URL.
 */
function Picture({ src, alt }: ComponentProps<'img'>) {
  const address = typeof src === 'string' ? src : ''
  if (/^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(address)) return <img src={address} alt={alt ?? ''} />
  const url = safeLink(address)
  if (url === undefined || !url.startsWith('https:')) return <span className="text-faint">{alt}</span>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" className="picture">
      <ImageIcon aria-hidden className="size-4" />
      {alt || 'Image'}
      <span className="text-faint">{new URL(url).host}</span>
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  )
}

const Table = ({ children }: ComponentProps<'table'>) => (
  <section {...reachable} className="table-box" aria-label="Table">
    <table>{children}</table>
  </section>
)

/** The checkbox of a task list, read-only. */
const Tick = ({ checked = false }: ComponentProps<'input'>) => (
  <input type="checkbox" checked={checked} readOnly disabled aria-label={checked ? 'Done' : 'Not done'} />
)

const textIn = (node: ReactNode): string => {
  if (typeof node === 'string') return node
  if (Array.isArray(node)) return node.map(textIn).join('')
  return isValidElement<{ children?: ReactNode }>(node) ? textIn(node.props.children) : ''
}

/** A code block: the code element inside has its language. */
function Fence({ children }: ComponentProps<'pre'>) {
  const isIncomplete = useIsCodeFenceIncomplete()
  const inner = isValidElement<{ className?: string; children?: ReactNode }>(children) ? children.props : {}
  const language = /language-([^\s]+)/.exec(inner.className ?? '')?.[1] ?? ''
  const code = textIn(inner.children)
  if (language === 'mermaid') return <Diagram code={code} isIncomplete={isIncomplete} />
  return <CodeBlock code={code} language={language} isIncomplete={isIncomplete} />
}

const Inline = ({ children }: ComponentProps<'code'>) => <code>{children}</code>

const plain = 'h1 h2 h3 h4 h5 h6 p ul ol li hr strong blockquote sup sub section thead tbody tr th td'

/** Apart from the rest, because the compiler takes four seconds to see it as one of the library's `Components`. */
const plainElements = Object.fromEntries(plain.split(' ').map((tag) => [tag, tag]))

/** The library's types require a component for one element to accept the attributes of any. */
export const elements = {
  ...plainElements,
  a: Link,
  img: Picture,
  table: Table,
  pre: Fence,
  code: Inline,
  input: Tick,
} as Components
