/** Reads what somebody typed into the search: words, and `tag:x folder:x pinned:true archived:true`. Pure. */

export interface SearchWords {
  /** For `to_tsquery`: all words, the last of them as a beginning. Empty when there are none. */
  query: string
  /** The words as they were typed. */
  text: string
  tags: string[]
  folders: string[]
  pinned?: boolean
  archived?: boolean
}

const part = /(tag|folder|pinned|archived):("[^"]*"|\S+)|\S+/gi

export const readSearch = (typed: string): SearchWords => {
  const found: SearchWords = { query: '', text: '', tags: [], folders: [] }
  const words: string[] = []
  for (const [whole, name, quoted = ''] of typed.normalize('NFC').matchAll(part)) {
    const value = quoted.replace(/^"|"$/g, '')
    const key = name?.toLowerCase()
    if (key === 'tag') found.tags.push(value)
    else if (key === 'folder') found.folders.push(value)
    else if ((key === 'pinned' || key === 'archived') && /^(true|false)$/i.test(value))
      found[key] = value.toLowerCase() === 'true'
    else words.push(whole)
  }
  const searchable = words.filter((word) => /[\p{L}\p{N}]/u.test(word))
  found.text = words.join(' ')
  found.query = searchable.map(quote).join(' & ') + (searchable.length > 0 ? ':*' : '')
  return found
}

/** Inside quotes only these two mean anything to `to_tsquery`. */
const quote = (word: string): string => `'${word.replace(/['\\]/g, '$&$&')}'`
