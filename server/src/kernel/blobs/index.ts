/** Where bytes are kept. */
export type { BlobSource, Blobs, ByteRange, OpenBlob, StoredBlob } from './blobs.ts'
export { createBlobs } from './create-blobs.ts'
