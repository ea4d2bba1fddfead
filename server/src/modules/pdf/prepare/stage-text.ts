/** Stages the PDF that is made of a text. A text that can't be one is refused with everything that is wrong with it. */
import { Readable } from 'node:stream'
import type { ErrorCode } from '@chancery/contract/errors.ts'
import type { Blobs } from '#kernel/blobs/index.ts'
import { AppError } from '#kernel/errors.ts'
import type { PdfChild } from '../child/pdf-child.ts'
import type { PdfWork } from '../interface.ts'

interface Needs {
  child: Pick<PdfChild, 'write'>
  blobs: Pick<Blobs, 'stage'>
}

export const createWrite =
  ({ child, blobs }: Needs): PdfWork['write'] =>
  async (text, tenant) => {
    const { bytes, told } = await child.write(text, tenant)
    if ('refusal' in told) {
      const { code, names } = told.refusal
      throw new AppError(code, {
        ...(names.length > 0 && { detail: `${sentences[code] ?? ''}${names.join(', ')}` }),
        problems: names.map((name) => ({
          loc: ['body', places[code] ?? text.format, name],
          msg: `${sentences[code] ?? ''}${name}`,
          type: code,
        })),
      })
    }
    return {
      file: await blobs.stage(Readable.from([bytes]), { area: 'signing', contentType: 'application/pdf' }),
      fields: told.fields,
    }
  }

const places: Partial<Record<ErrorCode, string>> = { text_variables_missing: 'variables' }
const sentences: Partial<Record<ErrorCode, string>> = {
  text_variables_missing: 'No value for ',
  text_tags_unknown: 'Neither a variable nor a field: ',
  text_elements_refused: "Can't be in a document: ",
  text_undrawable: "Can't be printed: ",
}
