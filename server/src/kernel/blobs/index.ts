/** Where bytes are kept. */
export type { BlobSource, ByteRange, OpenBlob, StoredBlob } from './blob-store.ts'
export { type Blobs, createBlobs, type StagedBlob } from './blobs.ts'
export { createBlobStore } from './create-blob-store.ts'
