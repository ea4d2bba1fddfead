/** What seals documents, and what turns files into PDFs. */
import { text, url, type ValuesOf, web } from '#kernel/config/variable.ts'
import { StartError } from '#kernel/process/start-error.ts'

export const pdfVariables = {
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
export type PdfConfig = ValuesOf<typeof pdfVariables>

export const checkPdf = (config: PdfConfig): void => {
  if (config.SIGNING_P12_PATH && config.SIGNING_PEM_PATH)
    throw new StartError('SIGNING_P12_PATH and SIGNING_PEM_PATH exclude each other: set one of them.')
}
