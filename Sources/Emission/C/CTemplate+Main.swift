extension CTemplate {
  /// The program that runs a network on files.
  static let main = CTemplate(
    text: #"""
      /* Runs @NAME@ on a file: raw float32 values of this machine's byte order, IDX, or a PGM picture. It prints classes,
         the accuracy if there are labels (IDX), and the time. */
      #include "@NAME@.h"

      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <time.h>

      #define COUNT @COUNT@
      #define CLASSES @CLASSES@
      /* 1 if bytes of pictures become inputs by a factor and a summand. */
      #define TAKES_PIXELS @PIXELS@

      static float arena[@MACRO@_ARENA_COUNT];
      static float sample[COUNT];
      static float output[CLASSES];
      static unsigned char pixels[COUNT];

      /* A file of samples; each is `size` bytes, of pixels or of floats. */
      typedef struct {
          FILE *file;
          int is_pixels;
          long samples;
      } samples_file;

      static int fail(const char *path, const char *reason)
      {
          fprintf(stderr, "%s: %s\n", path, reason);
          return 0;
      }

      static long big_endian(const unsigned char *bytes)
      {
          return (long)bytes[0] << 24 | (long)bytes[1] << 16 | (long)bytes[2] << 8 | (long)bytes[3];
      }

      /* Reads the header of IDX: a type, the number of axes, and their sizes. */
      static int open_idx(const char *path, samples_file *data, long count)
      {
          unsigned char header[4], size[4];
          long values = 1;
          if (fread(header, 1, 4, data->file) != 4 || header[2] != 8) {
              return fail(path, "not an IDX file of bytes");
          }
          for (int axis = 0; axis < header[3]; axis++) {
              if (fread(size, 1, 4, data->file) != 4) return fail(path, "ends in its header");
              if (axis == 0) data->samples = big_endian(size);
              else values *= big_endian(size);
          }
          if (values != count) return fail(path, "its samples have another size than those of the network");
          data->is_pixels = 1;
          return 1;
      }

      /* Reads the header of a binary PGM picture. */
      static int open_pgm(const char *path, samples_file *data)
      {
          int width = 0, height = 0, largest = 0;
          if (fscanf(data->file, "P5 %d %d %d", &width, &height, &largest) != 3 || largest != 255) {
              return fail(path, "not a binary PGM picture of bytes without comments");
          }
          fgetc(data->file);
          if ((long)width * height != COUNT) {
              return fail(path, "the picture has another size than the network's input");
          }
          data->is_pixels = 1;
          data->samples = 1;
          return 1;
      }

      static int open_samples(const char *path, samples_file *data)
      {
          unsigned char magic[4] = {0, 0, 0, 0};
          long size = 0;
          data->file = fopen(path, "rb");
          data->is_pixels = 0;
          if (data->file == NULL) return fail(path, "cannot be opened");
          if (fseek(data->file, 0, SEEK_END) == 0) size = ftell(data->file);
          rewind(data->file);
          if (fread(magic, 1, 4, data->file) != 4) return fail(path, "has no samples");
          rewind(data->file);
          const size_t name = strlen(path);
          if (name > 4 && strcmp(path + name - 4, ".pgm") == 0) {
              if (!open_pgm(path, data)) return 0;
          } else if (magic[0] == 0 && magic[1] == 0 && magic[2] == 8 && magic[3] >= 1 && magic[3] <= 4) {
              if (!open_idx(path, data, COUNT)) return 0;
          } else {
              if (size % (long)(COUNT * sizeof(float)) != 0) {
                  return fail(path, "is neither IDX nor PGM, and no whole number of samples of float32");
              }
              data->samples = size / (long)(COUNT * sizeof(float));
          }
          if (data->is_pixels && !TAKES_PIXELS) {
              return fail(path, "has pixels, whose preparation for this network is more than a factor and a summand");
          }
          return 1;
      }

      static int read_sample(samples_file *data)
      {
          if (!data->is_pixels) return fread(sample, sizeof(float), COUNT, data->file) == COUNT;
          if (fread(pixels, 1, COUNT, data->file) != COUNT) return 0;
          for (int i = 0; i < COUNT; i++) sample[i] = (float)pixels[i] * @SCALE@ + @OFFSET@;
          return 1;
      }

      @LOADER@int main(int argc, char **argv)
      {
          samples_file data, labels;
          long right = 0;
          clock_t ticks = 0;
          if (argc < 2 || argc > @LIMIT@) {
              fprintf(stderr, "usage: %s SAMPLES [LABELS]@USAGE@\n", argv[0]);
              return 64;
          }
      @OPEN@    if (!open_samples(argv[1], &data)) return 1;
          labels.file = argc > 2 ? fopen(argv[2], "rb") : NULL;
          if (argc > 2 && labels.file == NULL) return !fail(argv[2], "cannot be opened");
          if (labels.file != NULL && !open_idx(argv[2], &labels, 1)) return 1;
          if (labels.file != NULL && labels.samples != data.samples) {
              return !fail(argv[2], "has another number of labels than there are samples");
          }
          for (long index = 0; index < data.samples; index++) {
              int best = 0;
              if (!read_sample(&data)) return !fail(argv[1], "ends within a sample");
              const clock_t start = clock();
              const int error = @NAME@_run(@WEIGHTS@sample, output, arena);
              ticks += clock() - start;
              if (error != @MACRO@_OK) return !fail(argv[1], "has an index out of range");
              for (int i = 1; i < CLASSES; i++) {
                  if (output[i] > output[best]) best = i;
              }
              if (labels.file == NULL) {
                  printf("%ld: class %d (%g)\n", index, best, (double)output[best]);
              } else {
                  const int label = fgetc(labels.file);
                  if (label == EOF) return !fail(argv[2], "ends before its last label");
                  right += label == best;
              }
          }
          if (labels.file != NULL && data.samples > 0) {
              printf("%ld of %ld right: %.2f%%\n", right, data.samples, 100.0 * (double)right / (double)data.samples);
          }
          if (data.samples > 0) {
              printf(
                  "%.3f ms for a sample\n",
                  1000.0 * (double)ticks / (double)CLOCKS_PER_SEC / (double)data.samples);
          }
          return 0;
      }

      """#)
}
