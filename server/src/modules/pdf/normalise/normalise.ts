/**
 * Makes of an upload the one file that is shown, hashed and sealed: read strictly, and rebuilt of what the allow list
 * names. Runs in the child. The same upload makes the same bytes.
 */
import type { EarlierSignature, RemovedPart } from '@chancery/contract/signing/prepared.ts'
import type { PdfFacts, PrepareOptions } from '../interface.ts'
import { maxPages } from '../read/load-pdf.ts'
import { PdfRefusal } from '../read/refusal.ts'
import { PasswordProblem } from '../strict/decrypt.ts'
import { pagesOf } from '../strict/page-tree.ts'
import { openStrict, type StrictFile } from '../strict/strict-file.ts'
import { type Dict, ReadersDisagree, SyntaxProblem } from '../strict/syntax.ts'
import { requireDict } from '../strict/values.ts'
import { plainCopy } from '../strict/write.ts'
import { earlierSignatures } from './earlier-signatures.ts'
import { withLooks } from './field-looks.ts'
import { type Form, formOf } from './form.ts'
import { noteParts } from './note-parts.ts'
import { type Rebuilt, rebuildFile } from './rebuild-file.ts'
import { Removed } from './removed.ts'

export interface Normalised {
  bytes: Buffer
  facts: PdfFacts
  removed: RemovedPart[]
  earlierSignatures: EarlierSignature[]
}

/** Throws a `PdfRefusal`. */
export const normalise = async (upload: Buffer, options: PrepareOptions = {}): Promise<Normalised> => {
  try {
    return await normaliseOrThrow(upload, options)
  } catch (problem) {
    if (problem instanceof ReadersDisagree) throw new PdfRefusal('pdf_readers_disagree', problem.message)
    if (problem instanceof PasswordProblem)
      throw new PdfRefusal(options.password === undefined ? 'pdf_encrypted' : 'pdf_password_wrong', problem.message)
    if (problem instanceof SyntaxProblem) throw new PdfRefusal('pdf_damaged', problem.message)
    throw problem
  }
}

const normaliseOrThrow = async (upload: Buffer, { password, acceptsSigned }: PrepareOptions): Promise<Normalised> => {
  if (!upload.subarray(0, headerBytes).includes('%PDF-')) throw new PdfRefusal('not_a_pdf', 'There is no header.')
  const opened = open(upload, password)
  if (opened.form.hasXfa) throw new PdfRefusal('pdf_xfa', 'Its form is made with XFA.')
  const signatures = earlierSignatures(opened.file, opened.form)
  if (signatures.length > 0 && acceptsSigned !== true) throw new PdfRefusal('pdf_signed', 'It is signed.')
  const first = opened.form.needsLooks ? undefined : rebuild(opened)
  const { result, removed } = first?.result.withoutLook === 0 ? first : await rebuildWithLooks(opened)
  const { bytes, pages, formFields } = result
  const facts = {
    pageCount: pages.length,
    pages,
    isEncrypted: opened.file.isEncrypted,
    hasSignatures: signatures.length > 0,
    formFields,
  }
  return { bytes, facts, removed: removed.list(), earlierSignatures: signatures }
}

const headerBytes = 1_024

interface Opened {
  file: StrictFile
  catalog: Dict
  form: Form
}

const open = (bytes: Buffer, password?: string): Opened => {
  const file = openStrict(bytes, password)
  const catalog = requireDict(file.resolve(file.trailer.get('Root')), 'its root')
  return { file, catalog, form: formOf(file, catalog) }
}

const rebuild = (opened: Opened): { result: Rebuilt; removed: Removed } => {
  const pages = pagesOf(opened.file, opened.catalog, maxPages)
  if (pages.length > maxPages) throw new PdfRefusal('pdf_too_many_pages', `It has more than ${maxPages} pages.`)
  if (pages.length === 0) throw new PdfRefusal('pdf_damaged', 'It has no pages.')
  const removed = new Removed()
  if (opened.file.isEncrypted) removed.add('restrictions')
  noteParts(opened, removed)
  return { result: rebuildFile({ ...opened, pages, removed }), removed }
}

/** Values that nothing is drawn for look different in every viewer, so they get one look, which everybody is shown. */
const rebuildWithLooks = async ({ file }: Opened): Promise<ReturnType<typeof rebuild>> => {
  const rebuilt = rebuild(open(await withLooks(plainCopy(file))))
  if (rebuilt.result.withoutLook > 0)
    throw new PdfRefusal('pdf_readers_disagree', 'a field has a value that is not drawn')
  return rebuilt
}
