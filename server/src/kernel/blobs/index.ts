/** The blob store. */
export { type BlobSource, BlobStoreUnavailable, type ByteRange, type OpenBlob, type StoredBlob } from './blob-store.ts'
export { type Blobs, createBlobs, type StagedBlob } from './blobs.ts'
export { createBlobStore } from './create-blob-store.ts'
