/** Runs extraction in the limited child, puts its blocks together, and explains failures to people. */
import { z } from 'zod'
import { ChildFailure, type ChildFailureCode } from '#kernel/child/index.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import type { FilesContext } from './context.ts'
import type { ExtractionProblem } from './extraction/failure.ts'
import { maxLinks } from './extraction/formats/page-links.ts'
import { type ExtractedText, type ExtractRequest, ProcessingFailure } from './interface.ts'
import type { TextMark } from './tables.ts'

const Block = z.object({ text: z.string(), page: z.int().optional(), heading: z.string().optional() })
const Links = z.array(z.string()).max(maxLinks)
const ProgressMessage = z.object({ done: z.int(), total: z.int() })

export const extractText = async (
  { children, extractor }: Pick<FilesContext, 'children' | 'extractor'>,
  request: ExtractRequest,
): Promise<ExtractedText> => {
  const text = new TextBuilder()
  const { name, charset, isPage = false } = request
  try {
    const input = { name, isPage, ...(charset === undefined ? {} : { charset }) }
    const { kind, title, links } = await children.run(extractor, 'extract', input, {
      body: request.body,
      tenant: request.tenant,
      onBytes: (bytes) => text.push(bytes),
      onProgress: async (message) => {
        const { done, total } = ProgressMessage.parse(message)
        await request.onProgress?.(done, total)
      },
      ...(request.signal ? { signal: request.signal } : {}),
    })
    return { kind: String(kind), title: String(title).slice(0, 500), links: Links.parse(links), ...text.end() }
  } catch (problem) {
    throw explain(problem)
  }
}

/** Joins the blocks that arrive as lines of JSON. */
class TextBuilder {
  readonly #parts: string[] = []
  readonly #marks: TextMark[] = []
  #length = 0
  #rest: Buffer = Buffer.alloc(0)

  push(bytes: Buffer): void {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const end = all.lastIndexOf(0x0a)
    if (end >= 0) for (const line of all.toString('utf8', 0, end).split('\n')) this.#add(line)
    this.#rest = Buffer.from(all.subarray(end + 1))
  }

  end(): { content: string; marks: TextMark[] } {
    return { content: this.#parts.join('\n\n'), marks: this.#marks }
  }

  #add(line: string): void {
    const { text, page, heading } = Block.parse(parseForeign(line))
    const last = this.#marks.at(-1)
    if (last?.page !== page || last?.heading !== heading || !last)
      this.#marks.push({
        at: this.#length,
        ...(page === undefined ? {} : { page }),
        ...(heading === undefined ? {} : { heading }),
      })
    this.#parts.push(text)
    this.#length += text.length + 2
  }
}

const sentences: Record<ExtractionProblem, string> = {
  broken: "The file is damaged and can't be read.",
  encrypted: 'The file is protected by a password. Remove the password and upload it again.',
  no_text: 'The file contains no text.',
  scanned: 'This PDF contains no text, only images. Run text recognition on it and upload it again.',
  too_much_text: 'The file contains more text than we can process. Split it into smaller files.',
  too_large: "The file's contents are too large to process.",
  unsupported: "We can't read text from files of this type.",
}

const limitSentences: Partial<Record<ChildFailureCode, string>> = {
  child_out_of_memory: 'Reading the file needs too much memory.',
  child_cpu_limit: 'Reading the file takes too long.',
  child_timeout: 'Reading the file takes too long.',
  child_output_limit: sentences.too_much_text,
  child_task_failed: sentences.broken,
}

/**
 * Failures that another attempt may mend stay as they are: a full queue, a stopping server, a process that somebody
 * killed.
 */
const explain = (problem: unknown): unknown => {
  if (!(problem instanceof ChildFailure)) return problem
  const code = problem.taskError?.code as ExtractionProblem | undefined
  const sentence = code !== undefined && Object.hasOwn(sentences, code) ? sentences[code] : limitSentences[problem.code]
  return sentence === undefined ? problem : new ProcessingFailure(sentence, { cause: problem })
}
