/** PDF, page by page. Lines in larger type than the rest of their page are its headings. */
import { getDocumentProxy } from 'unpdf'
import { type Emit, HeadingPath } from '../blocks.ts'
import { ExtractionFailure } from '../failure.ts'

const maxPages = 10_000

interface Line {
  text: string
  height: number
}

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

export const emitPdf = async (
  bytes: Uint8Array,
  emit: Emit,
  report: (done: number, total: number) => Promise<void>,
): Promise<void> => {
  const document = await open(bytes)
  if (document.numPages > maxPages) throw new ExtractionFailure('too_large')
  const headings = new HeadingPath()
  let letters = 0
  for (let number = 1; number <= document.numPages; number += 1) {
    const lines = await readLines(document, number)
    letters += lines.reduce((sum, { text }) => sum + text.trim().length, 0)
    await emitPage(lines, { emit, headings, page: number })
    if (number % 10 === 0) await report(number, document.numPages)
  }
  if (letters === 0) throw new ExtractionFailure('scanned')
}

const open = async (bytes: Uint8Array): Promise<Document> => {
  try {
    return await getDocumentProxy(bytes, { useSystemFonts: false, verbosity: 0 })
  } catch (problem) {
    throw new ExtractionFailure((problem as Error).name === 'PasswordException' ? 'encrypted' : 'broken')
  }
}

const readLines = async (document: Document, number: number): Promise<Line[]> => {
  const page = await document.getPage(number)
  const { items } = await page.getTextContent()
  const lines: Line[] = [{ text: '', height: 0 }]
  for (const item of items) {
    if (!('str' in item)) continue
    const line = lines.at(-1)
    if (!line) continue
    line.text += item.str
    line.height = Math.max(line.height, item.height)
    if (item.hasEOL) lines.push({ text: '', height: 0 })
  }
  page.cleanup()
  return lines
}

const emitPage = async (
  lines: readonly Line[],
  { emit, headings, page }: { emit: Emit; headings: HeadingPath; page: number },
): Promise<void> => {
  const usual = usualHeight(lines)
  let paragraph: string[] = []
  const flush = async () => {
    await emit({ text: paragraph.join('\n'), page, heading: String(headings) })
    paragraph = []
  }
  for (const { text, height } of lines) {
    const isHeading = usual > 0 && height > usual * 1.15 && /\p{L}/u.test(text) && text.length < 150
    if (isHeading) {
      await flush()
      headings.enter(height > usual * 1.5 ? 1 : 2, text)
    }
    if (text.trim() === '') await flush()
    else paragraph.push(text)
  }
  await flush()
}

/** The height that most letters of the page have. */
const usualHeight = (lines: readonly Line[]): number => {
  const letters = new Map<number, number>()
  for (const { text, height } of lines)
    letters.set(Math.round(height), (letters.get(Math.round(height)) ?? 0) + text.length)
  return [...letters].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? 0
}
