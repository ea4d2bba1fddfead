/** The links of a web page. */

export const maxLinks = 1000
const maxLength = 1000

interface Anchors {
  querySelectorAll(selector: string): Iterable<{ getAttribute(name: string): string | null }>
}

/** As the page names them, with its own base where it has one. Links that ask not to be followed are left out. */
export const linksIn = (document: Anchors): string[] => {
  const [base] = document.querySelectorAll('base[href]')
  const links = new Set<string>()
  for (const anchor of document.querySelectorAll('a[href]')) {
    const href = anchor.getAttribute('href') ?? ''
    if (links.size >= maxLinks || /\bnofollow\b/i.test(anchor.getAttribute('rel') ?? '')) continue
    const link = URL.parse(href, base?.getAttribute('href') ?? undefined)?.href ?? href
    if (link.length <= maxLength) links.add(link)
  }
  return [...links]
}
