/** Builds the web app into `web/dist`, which the server serves; in development it proxies the API. */
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from './compress-assets.ts'
import { pdfFiles } from './pdf-files.ts'
import { pythonFiles } from './python-files.ts'

const server = 'http://127.0.0.1:8080'

/** Few files for the first page, and nothing in them that only comes after sign-in. Each page is a file of its own. */
const groups = [
  {
    name: 'base',
    priority: 4,
    test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?!react-virtual|virtual-core)[^/]+)\/|preload-helper|contract\/src\/(endpoint\.ts|endpoints\/entrance|reading\/(address|error-reply|exact-json))/,
  },
  {
    name: 'schemas',
    priority: 3,
    test: /node_modules\/zod\/|contract\/src\/(?!abilities|endpoint\.ts|endpoints\/entrance|reading\/)/,
  },
  {
    name: 'kit',
    priority: 2,
    test: /web\/src\/(lib\/(?!http\/(socket|follow-stream)|browser\/(passkeys|print-text)|form\/(prices|history)|rows\/|text\/(json-summary|replace-between|matched-words)|browser\/print-text|time\/point-text)|data\/(viewer|mail-server|no-mail-note|login-providers|provider-list)|ui\/(?!overlay|actions|table|plot|values\/figure-grid|feedback\/steps-result|form\/(price|code-editor|time-field))|app\/theme-button)|contract\/src\/abilities/,
  },
  { name: 'overlays', priority: 1, test: /node_modules\/radix-ui\/|web\/src\/ui\/overlay\// },
  // Tables open dialogs, which the sign-in page doesn't need.
  { name: 'tables', priority: 1, test: /web\/src\/ui\/(actions|table)\// },
  // Without these, an empty chat is forty files of a few hundred bytes, which wait for each other.
  { name: 'icons', priority: 1, test: /node_modules\/lucide-react\// },
  { name: 'shell', priority: 1, test: /web\/src\/app\/shell\/(?!palette|keys-dialog)/ },
  {
    name: 'chat',
    priority: 1,
    test: /web\/src\/(app\/pages\/chat|features\/chat\/(?!markdown\/)|features\/chat-list)\//,
  },
]

export default defineConfig({
  plugins: [react(), tailwind(), pdfFiles(), pythonFiles(), compressAssets()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    // The content security policy allows neither inline scripts nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A page runs only the modules that it imports, not all that share a file with them: most schemas belong to others.
    rolldownOptions: { output: { strictExecutionOrder: true, codeSplitting: { groups } } },
  },
  // Modules, so that each grammar of the highlighter stays a file of its own.
  worker: { format: 'es' },
  server: {
    proxy: {
      '/api': server,
      '/sso': server,
      '/scim': server,
      '/oauth': server,
      '/health': server,
      '/ws': { target: server, ws: true },
    },
  },
})
