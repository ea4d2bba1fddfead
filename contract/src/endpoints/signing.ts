/** Documents and templates, for those who send them. */

import { del, get, patch, post, put } from '../endpoint.ts'
import { AiSettings, AiSettingsBody, AskBody, AskReply, SummaryReply } from '../signing/ai.ts'
import {
  AuditReply,
  CancelBody,
  DocumentForm,
  DocumentList,
  DocumentListQuery,
  DocumentPatch,
  FieldsBody,
  FileOrderBody,
  FileQuery,
  FilesForm,
  QuotaReply,
  RecipientsBody,
  ReplaceBody,
  ResendBody,
  SigningDocument,
} from '../signing/documents.ts'
import { CertificateReply } from '../signing/evidence.ts'
import { InboxOpened, InboxReply } from '../signing/inbox.ts'
import { FieldProposals, ProposalQuery } from '../signing/proposals.ts'
import {
  BulkForm,
  BulkJob,
  Template,
  TemplateBody,
  TemplateList,
  TemplateListQuery,
  TemplatePatch,
  UseBody,
} from '../signing/templates.ts'
import { TextPreviewBody } from '../signing/written.ts'
import { LinkReply } from '../text.ts'

export const getAiSettings = get('/api/signing/ai', { reply: AiSettings })
export const setAiSettings = put('/api/signing/ai', { body: AiSettingsBody, reply: AiSettings })
export const askDocument = post('/api/signing/documents/:id/ask', { body: AskBody, reply: AskReply })
export const summarizeDocument = post('/api/signing/documents/:id/summary', { reply: SummaryReply })
export const listDocuments = get('/api/signing/documents', { query: DocumentListQuery, reply: DocumentList })
export const createDocument = post('/api/signing/documents', {
  body: DocumentForm,
  reply: SigningDocument,
  status: 201,
  takesKey: true,
})
export const previewText = post('/api/signing/text/preview', { body: TextPreviewBody, reply: 'raw' })
export const getDocument = get('/api/signing/documents/:id', { reply: SigningDocument })
export const changeDocument = patch('/api/signing/documents/:id', { body: DocumentPatch, reply: SigningDocument })
export const deleteDocument = del('/api/signing/documents/:id')
export const addFiles = post('/api/signing/documents/:id/files', { body: FilesForm, reply: SigningDocument })
export const arrangeFiles = put('/api/signing/documents/:id/files', { body: FileOrderBody, reply: SigningDocument })
export const removeFile = del('/api/signing/documents/:id/files/:fileId')
export const setRecipients = put('/api/signing/documents/:id/recipients', {
  body: RecipientsBody,
  reply: SigningDocument,
})
export const setFields = put('/api/signing/documents/:id/fields', { body: FieldsBody, reply: SigningDocument })
export const proposeFields = get('/api/signing/documents/:id/field-proposals', {
  query: ProposalQuery,
  reply: FieldProposals,
})
export const sendDocument = post('/api/signing/documents/:id/send', { reply: SigningDocument })
export const cancelDocument = post('/api/signing/documents/:id/cancel', { body: CancelBody, reply: SigningDocument })
export const remindRecipients = post('/api/signing/documents/:id/remind', { reply: SigningDocument })
export const retrySeal = post('/api/signing/documents/:id/retry-seal', { reply: SigningDocument })
export const resendToRecipient = post('/api/signing/documents/:id/recipients/:recipientId/resend', {
  body: ResendBody,
  reply: SigningDocument,
})
export const makeRecipientLink = post('/api/signing/documents/:id/recipients/:recipientId/link', { reply: LinkReply })
export const replaceRecipient = post('/api/signing/documents/:id/recipients/:recipientId/replace', {
  body: ReplaceBody,
  reply: SigningDocument,
})
export const readDocument = get('/api/signing/documents/:id/file', { query: FileQuery, reply: 'raw' })
export const getCertificate = get('/api/signing/documents/:id/certificate', { reply: CertificateReply })
export const readCertificate = get('/api/signing/documents/:id/certificate.pdf', { reply: 'raw' })
export const listDocumentAudit = get('/api/signing/documents/:id/audit', { reply: AuditReply })
export const getQuota = get('/api/me/quota', { reply: QuotaReply })
export const listInbox = get('/api/signing/inbox', { reply: InboxReply })
export const openFromInbox = post('/api/signing/inbox/:recipientId/open', { reply: InboxOpened })
export const listTemplates = get('/api/signing/templates', { query: TemplateListQuery, reply: TemplateList })
export const createTemplate = post('/api/signing/templates', {
  body: TemplateBody,
  reply: Template,
  status: 201,
  takesKey: true,
})
export const getTemplate = get('/api/signing/templates/:id', { reply: Template })
export const changeTemplate = patch('/api/signing/templates/:id', { body: TemplatePatch, reply: Template })
export const deleteTemplate = del('/api/signing/templates/:id')
export const useTemplate = post('/api/signing/templates/:id/use', {
  body: UseBody,
  reply: SigningDocument,
  status: 201,
  takesKey: true,
})
export const sendInBulk = post('/api/signing/templates/:id/bulk', {
  body: BulkForm,
  reply: BulkJob,
  status: 202,
  takesKey: true,
})
export const getBulk = get('/api/signing/bulk/:id', { reply: BulkJob })
