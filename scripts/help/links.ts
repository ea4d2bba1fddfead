/** Where a link of a Markdown page leads in the help. What the help doesn't have becomes plain text. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { entries } from './contents.ts'
import { createSlugs } from './html.ts'
import { root } from './root.ts'

/** `title`: of the page in the help. */
export type Link = { to: string; title?: string } | 'plain' | { problem: string }

const entryOf = new Map(entries.map((entry) => [entry.source, entry]))

export const relativeTo = (from: string, to: string): string => {
  const path = relative(dirname(from), to)
  return path === '' ? (to.split('/').at(-1) ?? to) : path
}

/** The anchors that GitHub and the help give to a page's headings. */
const anchorsOf = (source: string): Set<string> => {
  const text = readFileSync(join(root, source), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
  const slug = createSlugs()
  const withoutMarks = (heading: string) => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
  return new Set([...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slug(withoutMarks(heading))))
}

export const resolveLink = (from: { source: string; path: string }, href: string): Link => {
  if (/^(https?|mailto):/.test(href)) return { to: href }
  const [file = '', anchor] = href.split('#')
  const source = file === '' ? from.source : join(dirname(from.source), decodeURIComponent(file))
  if (!existsSync(join(root, source))) return { problem: `${from.source}: ${href} leads nowhere` }
  if (anchor !== undefined && source.endsWith('.md') && !anchorsOf(source).has(anchor))
    return { problem: `${from.source}: ${href} leads to no heading` }
  const isDecisions = source.replace(/\/$/, '') === 'docs/decisions'
  const { path, title } = isDecisions
    ? { path: 'decisions/index.html', title: 'Decisions' }
    : (entryOf.get(source) ?? {})
  if (path === undefined || title === undefined) return 'plain'
  const hash = anchor === undefined ? '' : `#${anchor}`
  return { to: path === from.path && hash !== '' ? hash : `${relativeTo(from.path, path)}${hash}`, title }
}
