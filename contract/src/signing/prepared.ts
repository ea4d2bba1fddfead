/** What the file that is shown and signed hasn't got, although the upload had it. The sender is told. */
import { z } from 'zod'

export const removedKinds = [
  'scripts',
  'actions',
  'links',
  'attachments',
  'media',
  'comments',
  'form_fields',
  'hidden_annotations',
  'annotations_without_look',
  'hidden_layers',
  'external_files',
  'signatures',
  'restrictions',
  'bookmarks',
  'accessibility_tags',
  'private_data',
] as const
export type RemovedKind = (typeof removedKinds)[number]

export const RemovedPart = z.object({
  kind: z.enum(removedKinds),
  count: z.int(),
  /** From 1; empty for what belongs to no page. */
  pages: z.array(z.int()),
})
export type RemovedPart = z.infer<typeof RemovedPart>

/** A signature that ended because the file was taken as a new document. */
export const EarlierSignature = z.object({
  /** As the file states them; `at` is ISO 8601. */
  name: z.string().nullable(),
  at: z.string().nullable(),
  /** Of the certificate. Nothing is said about whether the signature was intact. */
  subject: z.string().nullable(),
})
export type EarlierSignature = z.infer<typeof EarlierSignature>
