/** Icons before names: only emoji that every common font has, and that are two columns wide everywhere. */
import type { Entry } from '../listing/query.ts';
import { isExecutable } from '../text/metadata.ts';

const BY_EXTENSION = new Map([
  ...iconsFor('📦', 'tar tgz gz bz2 xz zst zip 7z rar jar whl deb rpm'),
  ...iconsFor('🎨', 'png jpg jpeg gif webp svg ico bmp tif tiff avif'),
  ...iconsFor('🎵', 'mp3 ogg flac wav m4a'),
  ...iconsFor('🎬', 'mp4 mkv webm mov avi'),
  ...iconsFor('📝', 'md txt rst adoc'),
  ...iconsFor('🔒', 'lock'),
]);

function iconsFor(icon: string, extensions: string): [string, string][] {
  return extensions.split(' ').map((extension) => [extension, icon]);
}

/** Returns an icon with a trailing space. */
export function iconOf({ name, type, metadata }: Entry): string {
  if (type === 'dir') return '📁 ';
  if (type === 'link') return '🔗 ';
  const known = BY_EXTENSION.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
  return `${known ?? (isExecutable(metadata?.mode ?? 0) ? '🚀' : '📄')} `;
}
