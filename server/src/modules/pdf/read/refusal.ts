/** Why a file cannot be worked on. Thrown in the child; its code reaches the server, which answers with it. */

export const refusals = [
  'not_a_pdf',
  'pdf_damaged',
  'pdf_encrypted',
  'pdf_password_wrong',
  'pdf_xfa',
  'pdf_signed',
  'pdf_readers_disagree',
  'pdf_too_many_pages',
  'picture_unreadable',
  'picture_too_large',
] as const
export type RefusalCode = (typeof refusals)[number]

export class PdfRefusal extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}
