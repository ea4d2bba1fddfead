/**
 * Makes looks for fields that have a value and nothing to show for it, with the library, which knows fonts. Its result is
 * read strictly, as an upload is: what it makes of a value is what everybody is shown.
 */
import { PDF } from '@libpdf/core'

export const withLooks = async (bytes: Buffer): Promise<Buffer> => {
  const pdf = await PDF.load(bytes)
  const form = pdf.getForm()?.acroForm()
  form?.markAllNeedAppearanceUpdate()
  form?.updateAppearances({ forceRegenerate: true })
  form?.getDict().delete('NeedAppearances')
  return Buffer.from(await pdf.save())
}
