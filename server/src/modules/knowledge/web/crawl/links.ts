/** Which addresses of a page a crawl follows. */
import { setImmediate as turn } from 'node:timers/promises'
import type { FetchedPage } from '../fetch-page.ts'
import type { RobotRules } from './robots.ts'

const maxLength = 2000

/** Types that are rarely documents. The content decides in the end, but these need not be fetched to know. */
const noDocument =
  /\.(png|jpe?g|gif|webp|avif|svg|ico|css|js|mjs|map|json|xml|rss|atom|zip|gz|tgz|bz2|xz|7z|rar|tar|dmg|exe|msi|deb|rpm|iso|mp[34]|m4[av]|webm|ogg|wav|flac|mov|avi|woff2?|ttf|otf|eot)$/i

/** Without its fragment and without a name or password; undefined for what is no web address. */
export const pageAddress = (text: string, base?: string): string | undefined => {
  const url = URL.parse(text.trim(), base)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  return url.href.length > maxLength ? undefined : url.href
}

/** Those that lead to pages of the same site, each once, in their order. */
const linksToFollow = (links: readonly string[], page: string): string[] => {
  const { host } = new URL(page)
  const addresses = links.flatMap((link) => pageAddress(link, page) ?? [])
  return [...new Set(addresses)].filter((address) => {
    const url = new URL(address)
    return url.host === host && !noDocument.test(url.pathname)
  })
}

/** As robots.txt names it. */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const linksPerTurn = 20

/** Those that the site allows to follow. With pauses for others: a site may have many rules, and a page many links. */
export const allowedLinks = async (
  { url, text }: Pick<FetchedPage, 'url' | 'text'>,
  rules: RobotRules,
): Promise<string[]> => {
  const allowed: string[] = []
  for (const [index, link] of linksToFollow(text.links, url).entries()) {
    if (rules.allows(pathOf(link))) allowed.push(link)
    if (index % linksPerTurn === 0) await turn()
  }
  return allowed
}
