/** PDFs as another reader sees them (poppler-utils). */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../harness/at-end.ts'
import type { PagePicture } from '../harness/page-picture.ts'

/** A word and where it is: fractions of the visible page, from its top left corner. */
export interface SeenWord {
  page: number
  text: string
  x: number
  y: number
  right: number
  bottom: number
}

export const startPoppler = () => {
  const folder = mkdtempSync(join(tmpdir(), 'chancery-poppler-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  let count = 0
  const run = (
    command: string,
    pdf: Uint8Array,
    before: string[],
    after: string[] = [],
    encoding: BufferEncoding = 'utf8',
  ): string => {
    count += 1
    const path = join(folder, `${count}.pdf`)
    writeFileSync(path, pdf)
    return execFileSync(command, [...before, path, ...after], { encoding, stdio: ['ignore', 'pipe', 'ignore'] })
  }
  return {
    /** Without a word about whether the certificate is trusted. */
    pdfsig: (pdf: Uint8Array): string => run('pdfsig', pdf, ['-nocert']),
    text: (pdf: Uint8Array): string => run('pdftotext', pdf, ['-layout'], ['-']),
    fonts: (pdf: Uint8Array): string => run('pdffonts', pdf, []),
    /** The first page as a binary PPM. */
    picture: (pdf: Uint8Array): Buffer =>
      Buffer.from(run('pdftoppm', pdf, ['-r', '20', '-f', '1', '-l', '1'], [], 'latin1'), 'latin1'),
    /** All pages, as `picture`. */
    pages: (pdf: Uint8Array): Buffer => Buffer.from(run('pdftoppm', pdf, ['-r', '20'], [], 'latin1'), 'latin1'),
    /** One page as it is seen, of this size, in grey. */
    page: (pdf: Uint8Array, number: number, { width, height }: { width: number; height: number }): PagePicture => {
      const which = ['-gray', '-cropbox', '-f', String(number), '-l', String(number)]
      const draw = (x: number, y: number) =>
        Buffer.from(
          run('pdftoppm', pdf, [...which, '-scale-to-x', String(x), '-scale-to-y', String(y)], [], 'latin1'),
          'latin1',
        )
      const isRight = (file: Buffer) => file.toString('latin1', 0, 20).startsWith(`P5\n${width} ${height}\n`)
      const drawn = draw(width, height)
      // The sides of a page that lies on its side are those from before it was turned.
      const file = isRight(drawn) ? drawn : draw(height, width)
      if (!isRight(file)) throw new Error('The page was drawn at another size.')
      return { width, height, pixels: file.subarray(file.length - width * height) }
    },
    /** The same pages in a file that this program has written. */
    rewritten: (pdf: Uint8Array): Buffer => {
      const path = join(folder, 'rewritten.pdf')
      run('pdfunite', pdf, [], [path])
      return readFileSync(path)
    },
    words: (pdf: Uint8Array): SeenWord[] => {
      const turned = run('pdfinfo', pdf, ['-f', '1', '-l', '9999']).matchAll(/Page +(\d+) rot: +(?:90|270)/g)
      const sideways = new Set([...turned].map(([, page]) => Number(page)))
      return wordsIn(run('pdftotext', pdf, ['-bbox', '-cropbox'], ['-']), sideways)
    },
  }
}

/** Words are told as the page is seen, but the page's size as it is before it is turned. */
const wordsIn = (html: string, sideways: ReadonlySet<number>): SeenWord[] => {
  const words: SeenWord[] = []
  let size = { page: 0, width: 1, height: 1 }
  for (const [, width, height, x, y, right, bottom, text] of html.matchAll(
    /<page width="([\d.]+)" height="([\d.]+)"|<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)</g,
  )) {
    if (width) {
      const page = size.page + 1
      const [across, down] = sideways.has(page) ? [height, width] : [width, height]
      size = { page, width: Number(across), height: Number(down) }
    } else
      words.push({
        page: size.page,
        text: text ?? '',
        x: Number(x) / size.width,
        y: Number(y) / size.height,
        right: Number(right) / size.width,
        bottom: Number(bottom) / size.height,
      })
  }
  return words
}
