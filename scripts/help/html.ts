export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** What a reader sees of it. */
export const plainOf = (html: string): string =>
  html
    .replace(/<\/?(a|code|em|strong|del|span|var)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()

/** A table of HTML cells. On a phone each row is a block, in which the heads name the cells. */
export const tableHtml = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const hasHeads = heads.some((head) => head !== '')
  const head = hasHeads
    ? `<thead><tr>${heads.map((text) => (text === '' ? '<td></td>' : `<th>${text}</th>`)).join('')}</tr></thead>`
    : ''
  const cell = (html: string, at: number) => {
    const label = hasHeads && at > 0 ? ` data-label="${escapeHtml(plainOf(heads[at] ?? ''))}"` : ''
    return `<td${label}>${html}</td>`
  }
  const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n')
  return `<div class="table" tabindex="0"><table class="columns-${heads.length}">${head}<tbody>${body}</tbody></table></div>\n`
}

/** As GitHub makes them, so that links in the Markdown work at both. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** Gives every heading of a page an anchor of its own. */
export const createSlugs = () => {
  const taken = new Map<string, number>()
  return (text: string): string => {
    const slug = slugOf(text)
    const times = taken.get(slug) ?? 0
    taken.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  }
}
