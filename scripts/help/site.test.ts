/** The built help, without a browser: its links, its search and what it would load. */
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { describe, expect, it } from 'vitest'
import { findSections, type Section } from './browser/find-sections.ts'
import { entries } from './contents.ts'
import { root } from './root.ts'
import { buildSite } from './site.ts'

const { files, problems } = buildSite()
const pages = [...files].flatMap(([path, content]) =>
  path.endsWith('.html') && path !== '404.html' ? [{ path, html: String(content) }] : [],
)
const anchors = new Map(
  pages.map(({ path, html }) => [path, new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id))]),
)
const sectionsOf = (path: string) => JSON.parse(String(files.get(path))) as Section[]

const resultsFor = (question: string) =>
  findSections([...sectionsOf('search.json'), ...sectionsOf('api/search.json')], question).map(
    ({ section }) => section.p,
  )

describe('the help', () => {
  it('has no link of the documentation that leads nowhere', () => {
    expect(problems).toEqual([])
  })

  it('has no link of a built page that leads nowhere', () => {
    const dead = pages.flatMap(({ path, html }) =>
      Array.from(html.matchAll(/(?:href|src)="([^"]+)"/g), ([, href = '']) => href)
        .filter((href) => !/^(https?:|mailto:|\/)/.test(href))
        .filter((href) => {
          const [file = '', anchor] = href.split('#')
          const target = file === '' ? path : join(dirname(path), file)
          if (!files.has(target)) return true
          return anchor !== undefined && !anchors.get(target)?.has(anchor)
        })
        .map((href) => `${path}: ${href}`),
    )
    expect(dead).toEqual([])
  })

  it('names each heading of a page once', () => {
    for (const { path, html } of pages) {
      const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
      expect(ids.length, path).toBe(new Set(ids).size)
    }
  })

  it('loads nothing from elsewhere, and runs and styles nothing inline', () => {
    for (const { path, html } of pages) {
      expect(html, path).not.toMatch(/<(script|link|img|iframe|source)[^>]+(src|href)="(https?:)?\/\//)
      expect(html, path).not.toMatch(/<[a-z][^>]* (style|on\w+)="|<style|<script>/)
    }
  })

  it('has every page of the documentation', () => {
    const sources = globSync('docs/**/*.md', { cwd: root }).sort()
    expect(
      entries
        .map(({ source }) => source)
        .filter((source) => source.startsWith('docs/'))
        .sort(),
    ).toEqual(sources)
  })
})

describe('the search of the help', () => {
  it.each([
    ['backup', 'operations.html#backup-and-restore'],
    ['METRICS_TOKEN', 'configuration.html#'],
    ['sso', 'guide.html#sign-in-with-your-company-account'],
    ['embedd', 'api/compatible-addresses.html#post_api_embeddings'],
    ['publish event', 'api/events.html#events-ingestEvent'],
  ])('finds %s', (question, path) => {
    expect(resultsFor(question)).toContainEqual(expect.stringContaining(path))
  })

  it('finds nothing for nothing, and takes what it does not know for text', () => {
    for (const question of ['', '   ', '(((', '.*', '\\', 'xyzzyplugh']) expect(resultsFor(question)).toEqual([])
  })

  it('wants every word, in any order and with any accents', () => {
    expect(resultsFor('restore bäckup')).toEqual(resultsFor('backup restore'))
    expect(resultsFor('backup xyzzyplugh')).toEqual([])
  })
})
