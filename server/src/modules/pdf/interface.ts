/** PDF work for other modules. Everything that parses a PDF runs in a limited child. */

import type { Evidence } from '@chancery/contract/signing/evidence.ts'
import type { EarlierSignature, RemovedPart } from '@chancery/contract/signing/prepared.ts'
import type { FieldProposal } from '@chancery/contract/signing/proposals.ts'
import type { FieldType, FieldValue } from '@chancery/contract/signing/signing.ts'
import type { StagedBlob } from '#kernel/blobs/index.ts'
import type { UploadedFile } from '#kernel/http/bodies/upload.ts'

/**
 * Facts about a PDF before anything is placed on it. Sizes in points of the visible page (crop box, after rotation).
 */
export interface PdfFacts {
  pageCount: number
  pages: { width: number; height: number }[]
  isEncrypted: boolean
  hasSignatures: boolean
  formFields: { name: string; page: number; x: number; y: number; width: number; height: number; type: string }[]
}

/** In points. */
export interface Size {
  width: number
  height: number
}

/** Page from 1; position and size are fractions of the visible page, measured from its top left corner. */
export interface PlacedField {
  page: number
  x: number
  y: number
  width: number
  height: number
  type: FieldType
  value: FieldValue
  signerName: string
}

/** What a page draws, told by a second reader: pages with the same hash show the same. */
export interface DrawnPage {
  /** The number of drawing operations. */
  operations: number
  sha256: string
}

export interface SealRequest {
  documentId: string
  title: string
  /** In the order of the envelope; none: the certificate alone is sealed. */
  files: FileToSeal[]
  /** What the certificate prints, and what is attached as `evidence.json`. */
  evidence: Evidence
  /** Null: the owner belongs to no organization. */
  organizationId: string | null
  /** Tenants take turns. */
  tenant: string
}

export interface FileToSeal {
  /** The blob's key. */
  blobId: string
  name: string
  fields: PlacedField[]
  /** What its pages drew when it was uploaded; null: it came before that was recorded, and is read now. */
  drawn: readonly DrawnPage[] | null
}

export interface SealedFile {
  blobId: string
  sha256: string
  bytes: number
  signedAt: Date
  /** The subject of the certificate that signed. */
  signer: string
  level: 'B-B' | 'B-T' | 'B-LT'
  /** What a second reader compared with the files that were signed. */
  comparison: { pages: number }
}

export interface PrepareOptions {
  password?: string
  /** Take a file that others have signed as a new document; without it `pdf_signed`. */
  acceptsSigned?: boolean
}

export interface PreparedFile {
  /** Staged; the caller claims it in its transaction. What is shown, hashed and sealed. */
  original: StagedBlob
  facts: PdfFacts
  /** What each page draws, for the comparison after sealing. */
  drawn: readonly DrawnPage[]
  removed: readonly RemovedPart[]
  earlierSignatures: readonly EarlierSignature[]
}

export interface ProposalHints {
  /** Names to look for. */
  people: readonly string[]
  /** Of the upload that the file was made of, which has no form of its own any more. */
  formFields: PdfFacts['formFields']
}

/** A field of a role, named in a text: `{{text:client:Company}}`. */
export interface TextTag {
  type: Extract<FieldType, 'SIGNATURE' | 'INITIALS' | 'DATE' | 'TEXT' | 'CHECKBOX'>
  role: string
  label: string | null
}

/** Where room was left for it: as `PlacedField`. */
export type TaggedField = TextTag & Pick<PlacedField, 'page' | 'x' | 'y' | 'width' | 'height'>

export interface TextToWrite {
  format: 'markdown' | 'html'
  text: string
  /** For `{{name}}` in the text. Values are text, never markup. */
  values: Readonly<Record<string, string>>
  paper: 'A4' | 'LETTER'
}

export interface WrittenText {
  /** Staged, not prepared. */
  file: StagedBlob
  /** In the order of the text. */
  fields: readonly TaggedField[]
}

/** An upload. `type` is what its bytes say. */
export type ForeignFile = Pick<UploadedFile, 'key' | 'name' | 'type'>

export interface PdfWork {
  /**
   * Makes the one file of an upload that is shown, hashed and sealed. Refuses with `not_a_pdf`, `pdf_damaged`,
   * `pdf_encrypted`, `pdf_password_wrong`, `pdf_xfa`, `pdf_signed`, `pdf_readers_disagree`, `pdf_too_many_pages` or
   * `pdf_too_complex`.
   */
  prepare(blobId: string, tenant: string, options?: PrepareOptions): Promise<PreparedFile>
  /** Refuses with `pdf_encrypted`, `pdf_damaged`, `pdf_too_many_pages` or `not_a_pdf`. */
  inspect(blobId: string, tenant: string): Promise<PdfFacts>
  /**
   * Turns a picture or an office file into a staged PDF; undefined for a PDF. Refuses with `not_a_pdf`, `picture_unreadable`,
   * `picture_too_large`, `converter_missing` or `conversion_failed`.
   */
  convert(file: ForeignFile, tenant: string): Promise<StagedBlob | undefined>
  /**
   * Makes a PDF of a text. Refuses with `text_empty`, `document_text_too_long`, `text_variables_missing`, `text_tags_unknown`,
   * `text_elements_refused` or `text_undrawable`, each with its problems.
   */
  write(text: TextToWrite, tenant: string): Promise<WrittenText>
  /** Proposes places for fields, and whose they are. Refuses as `inspect` does. */
  propose(blobId: string, tenant: string, hints: ProposalHints): Promise<FieldProposal[]>
  /** The text of each page, of the first hundred. Refuses as `inspect` does. */
  text(blobId: string, tenant: string): Promise<string[]>
  /** The characters that cannot be drawn; empty when all can. Pure and cheap: called before text is accepted. */
  undrawable(text: string): string[]
  /** True for a text that fits its field, whose size is in points of the visible page. Pure and cheap. */
  fits(text: string, box: Size): boolean
  /** True for a mark that can be drawn: a PNG of at most two million pixels. Called before it is accepted. */
  isDrawablePng(file: Buffer): Promise<boolean>
  /**
   * Renders, appends the certificate page, signs, verifies its own result and stages the blob. The caller claims the
   * blob in its transaction.
   */
  seal(request: SealRequest): Promise<SealedFile>
}
