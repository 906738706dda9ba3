/// A text with places for names, written as `@NAME@`.
struct CTemplate {
  let text: String

  /// Returns the text with each place filled; what is filled in is not searched for places.
  func filled(_ values: [String: String]) -> String {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      index % 2 == 0 ? String(part) : values[String(part)] ?? ""
    }.joined()
  }

  static let loader = CTemplate(
    text: #"""
      /* Reads the file of weights; its memory is kept until the program ends. */
      static int load(const char *path, @NAME@_weights *weights)
      {
          FILE *file = fopen(path, "rb");
          long size = 0;
          void *bytes = NULL;
          int error = @MACRO@_BAD_SIZE;
          if (file == NULL) {
              fprintf(stderr, "%s: cannot be opened\n", path);
              return 0;
          }
          if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
          if (size > 0) bytes = malloc((size_t)size);
          if (bytes != NULL && fseek(file, 0, SEEK_SET) == 0
              && fread(bytes, 1, (size_t)size, file) == (size_t)size) {
              error = @NAME@_open(weights, bytes, (size_t)size);
          }
          fclose(file);
          if (error != @MACRO@_OK) {
              fprintf(stderr, "%s: not the weights of @NAME@ (error %d; @NAME@.h says which)\n", path, error);
          }
          return error == @MACRO@_OK;
      }
      """#)

  static let weightsCheck = CTemplate(
    text: #"""
      /* Compares the bits of all weights with those that were written; NaN may have others. */
      static int check_weights(void)
      {
          const int count = (int)(sizeof weights_arrays / sizeof weights_arrays[0]);
          for (int index = 0; index < count; index++) {
              const weights_array *array = &weights_arrays[index];
              uint32_t hash = 2166136261UL;
              for (int i = 0; i < array->count; i++) {
                  uint32_t bits = 0;
                  if (array->values[i] != array->values[i]) continue;
                  memcpy(&bits, array->values + i, sizeof bits);
                  hash = (hash ^ bits) * 16777619UL & 0xffffffffUL;
              }
              if (hash == array->hash) continue;
              printf("@NAME@: the weights %s are others than those that were written\n", array->name);
              return 0;
          }
          return 1;
      }
      """#)

  static let selfTest = CTemplate(
    text: #"""
      /* The self-test of @NAME@: replays stored inputs and names the first layer that differs. */
      #define @MACRO@_TRACE(layer, values, count) check(layer, values, count)
      static void check(int layer, const float *values, int count);
      #include "@NAME@.c"

      #include <stdio.h>
      @INCLUDE@
      #include "@NAME@_goldens.h"

      #define GUARDS 16

      static float arena[@MACRO@_ARENA_COUNT + GUARDS];
      @MEMORY@static int sample, compared, failures;

      static void check(int layer, const float *values, int count)
      {
          const golden *expected = &goldens[layer];
          for (int i = 0; i < expected->stored; i++) {
              const int position = expected->positions == NULL ? i : expected->positions[i];
              const float want = expected->values[sample * expected->stored + i];
              const float got = position < count ? values[position] : NAN;
              compared++;
              if (got == want || (got != got && want != want)) continue;
              if (fabsf(got - want) <= expected->tolerance) continue;
              if (failures++ == 0) {
                  printf(
                      "@NAME@: layer %s differs at index %d of sample %d: %.9g, expected %.9g (tolerance %.3g)\n",
                      expected->layer, position, sample, (double)got, (double)want,
                      (double)expected->tolerance);
              }
              return;
          }
      }

      @LOADER@int main(@MAIN@)
      {
      @OPEN@    for (sample = 0; sample < SAMPLES; sample++) {
              /* What a layer reads before it is written becomes NaN, and what is written behind the arena is seen. */
              for (int i = 0; i < @MACRO@_ARENA_COUNT; i++) arena[i] = NAN;
              for (int i = 0; i < GUARDS; i++) arena[@MACRO@_ARENA_COUNT + i] = 1234.5f;
              const int error = @NAME@_run(@ARGUMENTS@);
              if (error != @MACRO@_OK) {
                  printf("@NAME@: sample %d returns error %d\n", sample, error);
                  return 1;
              }
              for (int i = 0; i < GUARDS; i++) {
                  if (arena[@MACRO@_ARENA_COUNT + i] == 1234.5f) continue;
                  printf("@NAME@: sample %d writes behind the arena\n", sample);
                  return 1;
              }
          }
          if (failures > 0) return 1;
          printf("@NAME@: %d values of %d samples are right\n", compared, SAMPLES);
          return compared > 0 ? 0 : 1;
      }

      """#)
}
