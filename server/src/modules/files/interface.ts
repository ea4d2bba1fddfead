/** The interface of files for other modules, with the ports they fill. */
import type { Progress } from '@chancery/contract/files/files.ts'
import type { StagedBlob } from '#kernel/blobs/index.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Module } from '#kernel/kernel.ts'
import type { FileRow, StoredText } from './queries/files.ts'

export interface Files extends Module {
  /** A file that the caller may read: their own, or one that a collection shows them. Throws `not_found`. */
  get(db: Db, actor: Actor, id: string): Promise<FileRow>
  /** Only the caller's own. Throws `not_found`. */
  getOwn(db: Db, actor: Actor, id: string): Promise<FileRow>
  listUnscoped(db: Db, ids: readonly string[]): Promise<FileRow[]>
  /**
   * Keeps files from being deleted, and their processing from ending, until the transaction ends. Returns those that are
   * there. A transaction that deletes some of them itself locks them for deletion: two such ones wait for each other.
   */
  lockUnscoped(tx: Db, ids: readonly string[], options?: { forDeletion?: boolean }): Promise<string[]>
  /** The extracted text; undefined until processing has got that far. */
  findTextUnscoped(db: Db, id: string): Promise<StoredText | undefined>
  countTextUnscoped(db: Db, ids: readonly string[]): Promise<number>
  /** A PNG, JPEG, GIF or WebP that the caller may read, as a data URL, made smaller where a model needs no more. */
  readImage(request: { actor: Actor; fileId: string; signal: AbortSignal }): Promise<string>
  /** Reads the text of bytes that are no file yet. Throws `ProcessingFailure`. */
  extract(request: ExtractRequest): Promise<ExtractedText>
  /** Stores bytes of the server's own making as a file, without reading text from it. */
  store(actor: Actor, file: Pick<GivenFile, 'name' | 'contentType' | 'bytes'>): Promise<FileRow>
  /**
   * Stores bytes of the server's own making as a file and processes it. A file that fails is deleted again, and so is
   * one that isn't kept within an hour: a crash leaves no file that belongs to nothing.
   */
  createProcessed(actor: Actor, file: GivenFile): Promise<FileRow>
  /** In the transaction that gives a created file its purpose. */
  keepUnscoped(tx: Db, id: string): Promise<void>
  /**
   * In the caller's transaction: claims a staged blob and enters it as a file of this person, not processed. Throws
   * `plan_limit_reached` before anything is written.
   */
  storeStaged(tx: Db, owner: FileOwner, file: StoredFile): Promise<FileRow>
  /**
   * Runs `work` in a transaction with the owner's files of these images, by their keys; images of bytes that the owner
   * already has are that file. Left out are those that are no PNG, JPEG, GIF or WebP by their content, are larger than a
   * file may be, or don't fit into the owner's storage. Where `work` throws, no file is left behind.
   */
  storeImages<Result>(
    owner: FileOwner,
    images: Iterable<[string, ImageBytes]>,
    work: (tx: Db, stored: ReadonlyMap<string, FileRow>) => Promise<Result>,
  ): Promise<Result>
  /** In the caller's transaction: rows, text and whatever hangs on them; the bytes follow after it commits. */
  deleteUnscoped(tx: Db, ids: readonly string[]): Promise<void>
  /** Port: runs for each file after its text is stored. The file is completed when all have run. */
  registerProcessor(processor: FileProcessor): void
  /** Port: runs in the transaction that completes a file. */
  registerCompletion(handler: CompletionHandler): void
  /** Port: turns recordings into text. */
  registerTranscriber(transcribe: Transcriber): void
  /** Port: has a file join a collection once it is processed, in the transaction that stores it. */
  registerCollections(join: JoinCollection): void
  /** Port: lets others than the owner read a file. */
  registerReaders(mayRead: MayRead): void
  /** The bytes that a scope stores: an organization, or a person without one. */
  countStorageUnscoped(db: Db, scopeId: string): Promise<number>
  /** Throws `plan_limit_reached` where so much more doesn't fit. Until the transaction ends, others of the scope wait. */
  requireStorage(tx: Db, owner: FileOwner, size: number): Promise<void>
}

export interface ExtractRequest {
  name: string
  body: AsyncIterable<Uint8Array>
  charset?: string | undefined
  /** A web page: navigation is left out. */
  isPage?: boolean
  signal?: AbortSignal | undefined
  /** Tenants are served in turn. */
  tenant: string
  onProgress?(done: number, total: number): Promise<void>
}

export interface ExtractedText extends StoredText {
  kind: string
  title: string
  /** The links of a web page, as it writes them. */
  links: string[]
}

export type FileOwner = Pick<Actor, 'kind' | 'id' | 'organizationId'>

/** Bytes that are staged as a blob. */
export interface StoredFile {
  name: string
  contentType: string
  blob: StagedBlob
}

export interface ImageBytes {
  /** Empty where it has none. */
  name: string
  bytes: Buffer
}

export interface GivenFile {
  name: string
  contentType: string
  bytes: Uint8Array
  /** Extracted already; otherwise processing does it. */
  text?: StoredText
  signal?: AbortSignal
}

export type FileProcessor = (file: FileRow, context: ProcessingContext) => Promise<void>

export interface ProcessingContext {
  text: StoredText
  /** Aborted when the file is deleted, its processing cancelled, or the server stops. */
  signal: AbortSignal
  report(progress: Progress): Promise<void>
  /** A transaction in which the claim on the file holds; throws when it is lost. */
  commit<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
}

/** Throws `ProcessingFailure` where another attempt would fail the same way. */
export type Transcriber = (request: {
  file: FileRow
  signal: AbortSignal
  report(progress: Progress): Promise<void>
}) => Promise<string>

export interface Joining {
  actor: Actor
  collectionId: string
  fileId: string
}

/** Throws `not_found` or `forbidden` where the collection isn't the caller's to change. */
export type JoinCollection = (tx: Db, joining: Joining) => Promise<void>
export type CompletionHandler = (tx: Db, file: Pick<FileRow, 'id'>) => Promise<void>
export type MayRead = (db: Db, actor: Actor, fileId: string) => Promise<boolean>
export type StorageLimit = (db: Db, organizationId: string | null) => Promise<number>
export type StorageUse = (db: Db, scopeId: string) => Promise<number>

/** Another attempt would fail the same way. The message is for the person who uploaded the file. */
export class ProcessingFailure extends Error {
  override readonly name = 'ProcessingFailure'
}
