/** The whole help, file by file, from `docs/` and `docs/openapi.json`. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { groups } from './contents.ts'
import { escapeHtml } from './html.ts'
import { layout, type MenuGroup } from './layout.ts'
import { relativeTo } from './links.ts'
import { type Heading, renderMarkdown, type Section } from './markdown.ts'
import { readDescription } from './reference/description.ts'
import { referencePages } from './reference/pages.ts'
import { root } from './root.ts'
import { type IndexedSection, indexOf } from './search-index.ts'

interface Page {
  path: string
  title: string
  html: string
  headings: Heading[]
  sections: Section[]
}

interface Site {
  files: Map<string, string | Buffer>
  /** Links that lead nowhere. */
  problems: string[]
}

const resolve = createRequire(import.meta.url).resolve
const font = (name: string, file: string) => readFileSync(resolve(`@fontsource-variable/${name}/files/${file}`))

const assets = (): [string, string | Buffer][] => [
  ['assets/help.css', [palette(), ...styles.map(style)].join('\n')],
  ...['help', 'search', 'find-sections'].map((name): [string, string] => [`assets/${name}.js`, script(name)]),
  ['assets/theme.js', readFileSync(join(root, 'web/public/theme.js'))],
  ['assets/favicon.svg', readFileSync(join(root, 'web/public/favicon.svg'))],
  ['assets/inter.woff2', font('inter', 'inter-latin-wght-normal.woff2')],
  ['assets/newsreader.woff2', font('newsreader', 'newsreader-latin-wght-normal.woff2')],
  ['assets/mono.woff2', font('jetbrains-mono', 'jetbrains-mono-latin-wght-normal.woff2')],
]

/** Later ones win. */
const styles = ['base', 'frame', 'article', 'reference', 'home', 'narrow']
const style = (name: string) => readFileSync(new URL(`./styles/${name}.css`, import.meta.url), 'utf8')

/** The colours of the app, so that both change together. */
const palette = (): string => {
  const css = readFileSync(join(root, 'web/src/theme.css'), 'utf8')
  const blocks = [...css.matchAll(/^:root(\[data-theme="dark"\])? \{\n[\s\S]*?^\}/gm)].map(([block]) => block)
  if (blocks.length !== 2) throw new Error('web/src/theme.css has not two blocks of colours, for light and dark.')
  return blocks.join('\n')
}

const script = (name: string): string =>
  stripTypeScriptTypes(readFileSync(new URL(`./browser/${name}.ts`, import.meta.url), 'utf8')).replace(
    /(from '\.\/[\w-]+)\.ts'/g,
    "$1.js'",
  )

const decisionsPage = (decisions: readonly Page[]): Page => {
  const items = decisions.map(
    ({ path, title }) => `<li><a href="${relativeTo('decisions/index.html', path)}">${escapeHtml(title)}</a></li>`,
  )
  const html = `<h1>Decisions</h1><p>Why things are the way they are, in the order in which it was decided.</p><ul>${items.join('')}</ul>`
  return { path: 'decisions/index.html', title: 'Decisions', html, headings: [], sections: [] }
}

const homePage = (menu: readonly MenuGroup[]): string => {
  const about = new Map(groups.map((group) => [group.title, group.about]))
  const cards = menu.map(({ title, items }) => {
    const links = items.slice(0, 8).map((item) => `<li><a href="${item.path}">${escapeHtml(item.title)}</a></li>`)
    const said = about.get(title) ?? 'Every endpoint, with examples, for those who are signed in.'
    return `<section><h2>${escapeHtml(title)}</h2><p>${escapeHtml(said)}</p><ul>${links.join('')}</ul></section>`
  })
  return `<h1>Help</h1><p class="lead">Guides for people who work with Chancery, run it and build on it.</p><div class="home-cards">${cards.join('')}</div>`
}

/** Pages of the API are for those who are signed in, and so is what the search says about them. */
const isReference = ({ path }: Page): boolean => path.startsWith('api/')

export const buildSite = (): Site => {
  const problems: string[] = []
  const written = groups.map(({ title, entries }) => {
    const pages = entries
      .filter(({ source }) => existsSync(join(root, source)))
      .map(({ source, path, title: name }): Page => {
        const { problems: found, ...page } = renderMarkdown(readFileSync(join(root, source), 'utf8'), { source, path })
        problems.push(...found)
        const isDecision = path.startsWith('decisions/')
        return { ...page, path, title: isDecision ? (page.headings[0]?.text ?? name) : name }
      })
    return { title, pages }
  })
  const reference = referencePages(readDescription())
  const inDecisions = ({ path }: Page) => path.startsWith('decisions/')
  const decisions = decisionsPage(written.flatMap(({ pages }) => pages.filter(inDecisions)))
  const menu: MenuGroup[] = written.map(({ title, pages }) => ({
    title,
    items: [...pages.filter((page) => !inDecisions(page)), ...(title === 'Inside' ? [decisions] : [])],
  }))
  menu.splice(3, 0, { title: 'API reference', items: reference, isLong: true })
  const pages = [...written.flatMap((group) => group.pages), decisions, ...reference]
  const html = pages.map((page): [string, string] => [page.path, layout({ ...page, menu })])
  const home = { path: 'index.html', title: 'Help', html: homePage(menu), headings: [], menu, isHome: true }
  const lost = `<h1>There is no such page</h1><p>It may have moved. <a href="/help/">Back to the start</a>, or search above.</p>`
  const index = (some: readonly Page[]): string => JSON.stringify(some.flatMap(indexOf) satisfies IndexedSection[])
  return {
    files: new Map<string, string | Buffer>([
      ...assets(),
      ...html,
      ['index.html', layout(home)],
      [
        '404.html',
        layout({ ...home, title: 'Not found', html: lost }).replaceAll(
          /(href|src|data-base)="(?![/#])(\.\/)?/g,
          '$1="/help/',
        ),
      ],
      ['search.json', index(pages.filter((page) => !isReference(page)))],
      ['api/search.json', index(reference)],
    ]),
    problems,
  }
}
