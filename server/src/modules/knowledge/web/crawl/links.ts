/** Pure. Which addresses of a page a crawl follows. */

const maxLength = 2000

/** What is rarely a document. The content decides in the end, but these need not be fetched to know. */
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
export const linksToFollow = (links: readonly string[], page: string): string[] => {
  const { host } = new URL(page)
  const addresses = links.flatMap((link) => pageAddress(link, page) ?? [])
  return [...new Set(addresses)].filter((address) => {
    const url = new URL(address)
    return url.host === host && !noDocument.test(url.pathname)
  })
}
