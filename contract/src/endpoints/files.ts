/** Uploaded files. */

import { del, get, post } from '../endpoint.ts'
import {
  ContentQuery,
  FileList,
  FileListQuery,
  FileRecord,
  FileText,
  StatusQuery,
  UploadBody,
  UploadQuery,
} from '../files/files.ts'

export const getFile = get('/api/v1/files/:id', { reply: FileRecord })
export const readFile = get('/api/v1/files/:id/content', { query: ContentQuery, reply: 'raw' })
export const readFileText = get('/api/v1/files/:id/data/content', { reply: FileText })
export const deleteFile = del('/api/v1/files/:id')
export const getFileProgress = get('/api/v1/files/:id/process/status', { query: StatusQuery, reply: 'raw' })
export const processFile = post('/api/v1/files/:id/process', { reply: FileRecord })
export const cancelFileProcessing = post('/api/v1/files/:id/process/cancel', { reply: FileRecord })
export const uploadFile = post('/api/v1/files/', { query: UploadQuery, body: UploadBody, reply: FileRecord })
export const listFiles = get('/api/v1/files/', { query: FileListQuery, reply: FileList })
