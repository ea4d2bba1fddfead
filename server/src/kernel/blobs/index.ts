/** The blob store. */
export { backupLock } from './backup-lock.ts'
export { type BlobSource, BlobStoreUnavailable, type ByteRange, type OpenBlob, type StoredBlob } from './blob-store.ts'
export { type Blobs, createBlobs, type StagedBlob } from './blobs.ts'
export { openBlobStore } from './create-blob-store.ts'
