/** Files, knowledge and signing. */
import { choice, integer, text, url, web } from '../variable.ts'

export const filesAndSigning = {
  Files: {
    FILE_MAX_SIZE_MB: integer({
      fallback: 100,
      min: 1,
      max: 10_000,
      sentence: 'The largest file that can be uploaded, in mebibytes.',
    }),
    RAG_EMBEDDING_ENGINE: choice(['local', 'upstream', 'compat', 'none'], {
      fallback: 'local',
      sentence: 'What makes vectors for semantic search; with none, full-text search serves alone.',
    }),
    RAG_EMBEDDING_MODEL: text({
      fallback: undefined,
      fallbackText: 'all-MiniLM-L6-v2 for local',
      sentence: 'The embedding model of the engine.',
    }),
    RAG_EMBEDDING_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'UPSTREAM_BASE_URL or COMPAT_API_BASE_URL',
      protocols: web,
      sentence: 'Where the upstream or compat engine is.',
    }),
    RAG_EMBEDDING_API_KEY: text({
      fallback: undefined,
      fallbackText: 'COMPAT_API_KEY',
      secret: true,
      sentence: 'Its key.',
    }),
    RAG_RERANKING_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none: passages stay in the order of the search',
      protocols: web,
      sentence: 'A server with `/rerank` that puts passages into a better order.',
    }),
    RAG_RERANKING_MODEL: text({ fallback: undefined, sentence: 'Its model.' }),
    RAG_RERANKING_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    RAG_VECTOR_INDEX: choice(['auto', 'memory'], {
      fallback: 'auto',
      sentence:
        'Where vectors are searched: auto uses pgvector if the database has it; memory keeps them in each node.',
    }),
    RAG_VECTOR_MEMORY_MB: integer({
      fallback: 1024,
      min: 16,
      max: 1_000_000,
      sentence: 'How much memory vectors may take on each node, in mebibytes. Larger collections are searched slowly.',
    }),
    RAG_CHUNK_SIZE: integer({
      fallback: 1000,
      min: 200,
      max: 10_000,
      sentence: 'How long a chunk of text is, in characters.',
    }),
    RAG_CHUNK_OVERLAP: integer({
      fallback: 100,
      min: 0,
      max: 2000,
      sentence: 'How many characters neighbouring chunks share.',
    }),
    IMAGES_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none: models make no images',
      protocols: web,
      sentence: 'The compatible server that makes images for `features.image_generation`.',
    }),
    IMAGES_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    IMAGES_MODEL: text({ fallback: undefined, fallbackText: "the server's own", sentence: 'Its model.' }),
    IMAGES_SIZE: text({
      fallback: undefined,
      fallbackText: "the model's own",
      sentence: 'The size of images, such as 1024x1024.',
    }),
    WEB_SEARCH_ENGINE: choice(['none', 'searxng', 'brave', 'tavily', 'json'], {
      fallback: 'none',
      sentence: 'What searches the web for models; json is any server that speaks the protocol in docs/knowledge.md.',
    }),
    WEB_SEARCH_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'the usual address of Brave or Tavily',
      protocols: web,
      sentence: 'Where the search engine is.',
    }),
    WEB_SEARCH_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    WEB_SEARCH_RESULTS: integer({
      fallback: 5,
      min: 1,
      max: 20,
      sentence: 'How many results of a search a model gets.',
    }),
    WEB_SEARCH_PAGES: integer({
      fallback: 3,
      min: 0,
      max: 10,
      sentence: 'How many of the first results of a search are read in full.',
    }),
  },
  Signing: {
    SIGNING_P12_PATH: text({
      fallback: undefined,
      fallbackText: 'none: a self-made certificate, and the interface says so',
      sentence: 'A P12 file with the key and certificate that seal documents. Checked when the service starts.',
    }),
    SIGNING_P12_PASSWORD: text({ fallback: undefined, secret: true, sentence: 'The password of the P12 file.' }),
    SIGNING_PEM_PATH: text({
      fallback: undefined,
      sentence:
        'The same as a PEM file: the private key, the certificate, then its chain. Instead of SIGNING_P12_PATH.',
    }),
    SIGNING_MAILS_PER_HOUR: integer({
      fallback: 1000,
      min: 1,
      max: 1_000_000,
      sentence: 'How many emails to recipients one sender may cause in an hour.',
    }),
    SIGNING_UNPROVEN_MAILS_PER_HOUR: integer({
      fallback: 50,
      min: 1,
      max: 1_000_000,
      sentence: 'The same for a sender whose email address is not proven.',
    }),
    SIGNING_ORGANIZATION_MAILS_PER_HOUR: integer({
      fallback: 5000,
      min: 1,
      max: 10_000_000,
      sentence: 'The same for all senders of an organization together.',
    }),
    SIGNING_ADDRESS_MAILS_PER_HOUR: integer({
      fallback: 6,
      min: 1,
      max: 100_000,
      sentence:
        'How many emails one address outside the organization gets from one sender in an hour; half of it from one whose address is not proven.',
    }),
    SIGNING_OFFICE_PATH: text({
      fallback: undefined,
      fallbackText: '`soffice`, if it is installed',
      sentence:
        'LibreOffice, which turns Word and OpenDocument files into PDFs. Without it they are refused with a sentence.',
    }),
    SIGNING_TSA_URL: url({
      fallback: undefined,
      fallbackText: 'none: seals carry no time-stamp',
      protocols: web,
      sentence: 'A time-stamp authority (RFC 3161). While it does not answer, documents wait to be sealed.',
    }),
    SIGNING_TSA_CA_PATH: text({
      fallback: undefined,
      fallbackText: 'none: the roots of the system',
      sentence:
        "A PEM file with the roots of time-stamp authorities that are trusted besides the system's. For a private authority.",
    }),
    SIGNING_SIGNER_CA_PATH: text({
      fallback: undefined,
      fallbackText: 'none: the roots of the system',
      sentence:
        "A PEM file with the roots of signers whom the verify page calls known besides the system's. For a private authority.",
    }),
  },
} as const
