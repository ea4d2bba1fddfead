/** Parts of a page that `npm run docs` writes, between two comments; the rest of the page is written by hand. */

export const hasParts = (page: string): boolean => page.includes('<!-- npm run docs: ')

/** Each marked part of the page by what `write` says for its name. */
export const fillParts = (page: string, write: (name: string) => string): string =>
  page.replace(
    /(<!-- npm run docs: (.+?) -->\n)[\s\S]*?(\n<!-- end -->)/g,
    (_part, start: string, name: string, end: string) => `${start}\n${write(name)}\n${end}`,
  )

export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
