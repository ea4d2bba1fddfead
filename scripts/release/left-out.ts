/** What of an installed package is not needed to run the server. */

/** Folders at the top of a package. Deeper ones can be code: `yaml` has its documents in `dist/doc`. */
const folders = /^(\.github|__tests__|bench|benchmarks?|coverage|docs?|examples?|man|tests?)\//
const licence = /(^|\/)(licen[cs]e|copying|notice|ofl)[^/]*$/i
const files =
  /(\.map|\.a|\.[cm]?tsx?|\.tsbuildinfo|\.flow|\.md|\.markdown|\.html|\.c|\.cc|\.cpp|\.h|\.hpp|\.gyp|\.gypi)$/i

/** Of packages that bring more than the server uses. */
const unused: Readonly<Record<string, RegExp>> = {
  '@expo-google-fonts/chocolate-classical-sans': /\.png$/,
  '@expo-google-fonts/nanum-gothic': /\.png$|^(?!400Regular\/)[^/]+\/.*\.ttf$/,
  bcrypt: /^(deps|build|src)\//,
  'dejavu-fonts-ttf': /^(status|unicover|langcover)\.txt$|^ttf\/(?!DejaVuSans(Condensed(-\w+)?|Mono)?\.ttf$)/,
  // The server reads PDFs with the build for Node.js, and draws nothing.
  'pdfjs-dist': /^(build|image_decoders|web|legacy\/(image_decoders|web))\/|\.min\.m?js$|\.sandbox\.m?js$/,
  usearch: /^numkong\//,
}

/** Never loaded: pdf.js draws with it, and the processes that read PDFs may not load native code. */
const unusedPackages: ReadonlySet<string> = new Set(['@napi-rs/canvas'])

/** Native code for another platform, where a package brings that of all. */
const isForeign = (file: string, platform: string): boolean => {
  const [, builtFor] = /^prebuilds\/([^/]+)\//.exec(file) ?? []
  if (builtFor === undefined) return false
  const [os = '', cpu = ''] = platform.split('-')
  return (
    !(
      builtFor.startsWith(`${os}-`) &&
      builtFor
        .slice(os.length + 1)
        .split('+')
        .includes(cpu)
    ) || /musl/.test(file)
  )
}

export const isPackageLeftOut = (name: string): boolean =>
  unusedPackages.has(name) || name.startsWith('@napi-rs/canvas-')

/** `file` is relative to the package, `platform` such as `linux-x64`. Licences always stay. */
export const isFileLeftOut = (name: string, file: string, platform: string): boolean => {
  if (licence.test(file)) return false
  return folders.test(file) || files.test(file) || isForeign(file, platform) || (unused[name]?.test(file) ?? false)
}

/** Of our own workspaces. */
export const isOwnFileLeftOut = (file: string): boolean => /\.test\.tsx?$|(^|\/)(test|node_modules)\//.test(file)
