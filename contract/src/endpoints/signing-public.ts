/** What a recipient does with the link from their email. */

import { get, post, put } from '../endpoint.ts'
import {
  ActBody,
  ActionReply,
  CodeBody,
  CodeReply,
  CodeSentReply,
  ConsentBody,
  DeclineBody,
  DelegateBody,
  SigningFileQuery,
  SigningReply,
  StopBody,
  ValuesBody,
} from '../signing/recipient.ts'

export const getSigning = get('/api/public/sign/:token', { reply: SigningReply })
export const sendCode = post('/api/public/sign/:token/otp', { reply: CodeSentReply, status: 202 })
export const verifyCode = post('/api/public/sign/:token/otp/verify', { body: CodeBody, reply: CodeReply })
export const readFile = get('/api/public/sign/:token/file', { query: SigningFileQuery, reply: 'raw' })
export const openDocument = post('/api/public/sign/:token/open', { body: ActBody, reply: ActionReply })
export const consent = post('/api/public/sign/:token/consent', { body: ConsentBody })
export const fillFields = put('/api/public/sign/:token/fields', { body: ValuesBody })
export const complete = post('/api/public/sign/:token/complete', { body: ActBody, reply: ActionReply })
export const decline = post('/api/public/sign/:token/decline', { body: DeclineBody, reply: ActionReply })
export const delegate = post('/api/public/sign/:token/delegate', { body: DelegateBody, reply: ActionReply })
export const stopMails = post('/api/public/sign/:token/stop', { body: StopBody })
export const resumeMails = post('/api/public/sign/:token/resume')
export const download = get('/api/public/sign/:token/download', { reply: 'raw' })
export const readCertificate = get('/api/public/sign/:token/certificate.pdf', { reply: 'raw' })
